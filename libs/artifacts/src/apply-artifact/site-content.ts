import { Injectable } from '@nestjs/common';
import { collection, collectionId, InspectItem, ListItems } from '@app/content/contract';
import { Bus } from '@app/cqrs';
import { EventStore, Executor } from '@app/event-store';
import type { Recorded } from '@app/kernel';
import type { RunEvent } from '@app/runs/contract';
import type { Part } from '../artifact.state';
import type { AppliedContent } from './applied-content.schema';
import type { CollectionNow } from './plan-application.policy';
import { untouchedItems, type Executed, type ItemNow, type Others, type UndoFacts } from './plan-undo.policy';
import { callIdOf } from './step.schema';

const PAGE = 200;
/** Looking through more than this for what people have would make a rollback wait; the collection is kept instead. */
const MOST_PAGES = 10;

/** What planning needs to know about a site's content, and what earlier runs of an artifact have made in it. */
@Injectable()
export class SiteContent {
  constructor(
    private readonly executor: Executor,
    private readonly store: EventStore,
    private readonly bus: Bus,
  ) {}

  async collections(siteId: string, names: readonly string[]): Promise<(name: string) => CollectionNow> {
    const known = new Map(await Promise.all([...new Set(names)].map(async (name) => [name, (await this.executor.current(collection, collectionId(siteId, name))).state] as const)));
    return (name) => known.get(name) ?? { status: 'none' };
  }

  /** The steps of these runs that were carried out, in their order, as the runs' own records have them. */
  async executed(parts: readonly Part[]): Promise<readonly Executed[]> {
    const all = await Promise.all(
      parts.map(async ({ runId, steps }) => {
        const results = new Map<string, unknown>();
        for await (const { type, data } of this.store.read(`run-${runId}`) as AsyncIterable<Recorded<RunEvent>>) {
          if (type === 'ToolCallSucceeded') results.set(data.callId, data.result);
          if (type === 'IndeterminateResolved' && data.answer === 'happened') results.set(data.callId, data.result ?? null);
        }
        return steps.flatMap((step, nr) => (results.has(callIdOf(nr)) ? [{ step, item: step.tool === 'createItem' ? itemIn(results.get(callIdOf(nr))) : null }] : []));
      }),
    );
    return all.flat();
  }

  /** Items that an artifact has made: each stands for one that it describes, whatever people made of it since. */
  async seeded(parts: readonly Part[]): Promise<AppliedContent['items']> {
    return (await this.executed(parts)).flatMap(({ step }) => (step.tool === 'createItem' ? [step.arguments as unknown as AppliedContent['items'][number]] : []));
  }

  async undoFacts(siteId: string, executed: readonly Executed[]): Promise<UndoFacts> {
    const items = new Map<string, ItemNow | null>();
    for (const { step, item: made } of executed) if (made) items.set(made.id, await this.item(siteId, String(step.arguments['collection']), made.id));
    const item: UndoFacts['item'] = (id) => items.get(id) ?? null;
    const names = [...new Set(executed.map(({ step: { arguments: given } }) => String(given['collection'] ?? given['name'])))];
    const going = new Set(untouchedItems(executed, item));
    const shared = new Set(executed.flatMap(({ step: { tool, arguments: given } }) => (tool === 'createCollection' ? [String(given['name'])] : tool === 'createField' ? [String(given['collection'])] : [])));
    const others = new Map<string, Others>();
    const collectionsNow = await this.collections(siteId, names);
    for (const name of shared) if (collectionsNow(name).status === 'live') others.set(name, await this.others(siteId, name, going));
    return { item, collection: collectionsNow, others: (name) => others.get(name) ?? null };
  }

  /** What is in a collection beside the items that go. */
  async others(siteId: string, name: string, going: ReadonlySet<string> = new Set()): Promise<Others> {
    const fields = new Set<string>();
    const minPosition = await this.store.head();
    let count = 0;
    let cursor: string | undefined;
    for (let nr = 0; nr < MOST_PAGES; nr++) {
      const page = await this.bus.ask(new ListItems({ collection: name, limit: PAGE, ...(cursor !== undefined && { cursor }) }, { siteId }, minPosition));
      // A collection that is gone holds nothing; of one that cannot be read nobody knows.
      if (!page.ok) return page.rejection.kind === 'unavailable' ? null : { count, fields: [...fields] };
      for (const { id, data } of page.data.rows) {
        if (going.has(id)) continue;
        count += 1;
        Object.keys(data).forEach((field) => fields.add(field));
      }
      if (page.data.nextCursor === null) return { count, fields: [...fields] };
      cursor = page.data.nextCursor;
    }
    return null;
  }

  private async item(siteId: string, name: string, id: string): Promise<ItemNow | null> {
    const inspected = await this.bus.ask(new InspectItem({ collection: name, id }, { siteId }));
    return inspected.ok ? inspected.data : null;
  }
}

/** The item that a call created, as its result tells. */
const itemIn = (result: unknown): Executed['item'] => {
  if (typeof result !== 'object' || result === null || !('id' in result) || !('version' in result)) return null;
  const { id, version } = result;
  return typeof id === 'string' && typeof version === 'number' ? { id, version } : null;
};
