import { collection, collectionId, item } from '@app/content/contract';
import type { Executor } from '@app/event-store';
import { matchesPattern } from '@app/json-schema';
import type { LiveIntent } from '../intent.state';
import { isItemLink, linksIn } from '../rules/links.policy';
import type { Facts } from '../rules/violations.policy';
import type { LinkChecker } from './link-checker';

/** What one item may cost: its links are asked for together, each for so long. */
const LINK_WITHIN_MS = 5_000;

/** What the rules of an intent may ask about an item. Links are looked at once per scan, however many items point at them. */
export class ItemFacts {
  private readonly looked = new Map<string, Promise<boolean>>();
  private fields: readonly string[] | undefined;

  constructor(
    private readonly executor: Executor,
    private readonly links: LinkChecker,
    private readonly intent: LiveIntent,
  ) {}

  async of(data: Readonly<Record<string, unknown>>, now: Date): Promise<Facts> {
    return { now, fields: (this.fields ??= await this.fieldsNow()), broken: await this.brokenIn(data), matches: matchesPattern };
  }

  private async fieldsNow(): Promise<readonly string[]> {
    const { siteId, definition } = this.intent;
    const { state } = await this.executor.current(collection, collectionId(siteId, definition.collection));
    return state.status === 'live' ? state.fields.map(({ name }) => name) : [];
  }

  private async brokenIn(data: Readonly<Record<string, unknown>>): Promise<ReadonlySet<string>> {
    const rules = this.intent.definition.rules.filter(({ type }) => type === 'link_health');
    if (rules.length === 0) return new Set();
    const links = [...new Set(Object.values(data).flatMap(linksIn))];
    const sound = await Promise.all(links.map((link) => this.isSound(link)));
    return new Set(links.filter((_link, index) => !sound[index]));
  }

  private isSound(link: string): Promise<boolean> {
    const known = this.looked.get(link) ?? (isItemLink(link) ? this.isItem(link) : this.isReachable(link));
    this.looked.set(link, known);
    return known;
  }

  /** A link that cannot be judged counts as sound: a cut line to the outside is no drift of a thousand items. */
  private isReachable = (link: string): Promise<boolean> => 
    this.links.isReachable({ url: link, siteId: this.intent.siteId, signal: AbortSignal.timeout(LINK_WITHIN_MS) }).catch(() => true);

  private async isItem(id: string): Promise<boolean> {
    const { state } = await this.executor.current(item, id);
    return state.status === 'live' && state.siteId === this.intent.siteId;
  }
}
