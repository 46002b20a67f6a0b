import { Injectable } from '@nestjs/common';
import { collection, collectionId, ListCollections, ListItems } from '@app/content/contract';
import { Bus } from '@app/cqrs';
import { EventStore, Executor } from '@app/event-store';
import { applyPolicies, governance, toolOf, type Governance, type PolicyRule } from '@app/governance/contract';
import { matchesPattern } from '@app/json-schema';
import { may, personId, type Principal } from '@app/kernel';
import { SearchMemory } from '@app/memory/contract';
import { OPERATIONS, type KnownCollection, type Operation, type Ruling, type SampleItem, type SiteContext } from './site-context.policy';

/** For whom an app is made. */
export type Wish = { readonly principal: Principal; readonly siteId: string; readonly now: Date; readonly goalId: string | null; /** Names the app will need, there or not. */ readonly names: readonly string[] };

const MOST_COLLECTIONS = 200;
const MOST_ITEMS = 5;
const MOST_SAMPLED = 20;
const MOST_MEMORIES = 10;

/** Reads what an app is made from, as far as whoever asks may read it; nothing is written. */
@Injectable()
export class SiteContextReader {
  constructor(
    private readonly executor: Executor,
    private readonly store: EventStore,
    private readonly bus: Bus,
  ) {}

  /** With the position that it has seen. */
  async at(wish: Wish): Promise<{ readonly context: SiteContext; readonly position: bigint }> {
    const { principal, siteId, names } = wish;
    const parts = { 'schema:read': may(principal, 'schema:read'), 'items:read': may(principal, 'items:read'), 'policies:read': may(principal, 'policies:read'), 'memory:read': may(principal, 'memory:read') };
    const position = await this.store.head();
    const site = (await this.executor.current(governance, siteId)).state;
    const collections = parts['schema:read'] ? await this.collections(siteId, position) : [];
    // Even a caller who may not read the schema gets names that can be had.
    const gone = await this.gone(siteId, names);
    const sampled = [...names.filter((name) => collections.some((each) => each.name === name)), ...collections.map(({ name }) => name)];
    const items = parts['items:read'] ? await this.items(siteId, [...new Set(sampled)].slice(0, MOST_SAMPLED), position) : {};
    const rules = parts['policies:read'] && site.status === 'site' ? site.policies : [];
    const about = [...new Set([...names, ...collections.map(({ name }) => name)])];
    const context = {
      collections, gone, items,
      rulings: Object.fromEntries(about.map((name) => [name, rulingsOn(name, rules, site, principal.agentRole)])),
      policies: rules.map(({ name }) => name),
      memories: parts['memory:read'] ? await this.memories(wish, position) : [],
      withheld: Object.entries(parts).flatMap(([capability, held]) => (held ? [] : [capability])),
    };
    return { context, position };
  }

  /** Straight from the log, because a name that is taken for ever shows nowhere else. */
  private async collections(siteId: string, minPosition: bigint): Promise<readonly KnownCollection[]> {
    const listed = await this.bus.ask(new ListCollections({ limit: MOST_COLLECTIONS }, { siteId }, minPosition));
    const names = listed.ok ? listed.data.rows.map(({ name }) => name) : [];
    const states = await Promise.all(names.map(async (name) => (await this.executor.current(collection, collectionId(siteId, name))).state));
    const live = states.flatMap((state) => (state.status === 'live' ? [state] : []));
    return live.map(({ name, description, fields, removedFields, relations }) => ({ name, description, fields, removedFields, relations })).toSorted((a, b) => (a.name < b.name ? -1 : 1));
  }

  private async gone(siteId: string, names: readonly string[]): Promise<readonly string[]> {
    const states = await Promise.all(names.map(async (name) => [name, (await this.executor.current(collection, collectionId(siteId, name))).state.status] as const));
    return states.flatMap(([name, status]) => (status === 'deleted' ? [name] : []));
  }

  private async items(siteId: string, names: readonly string[], minPosition: bigint): Promise<Record<string, readonly SampleItem[]>> {
    const sampled: Record<string, readonly SampleItem[]> = {};
    for (const name of names) {
      const page = await this.bus.ask(new ListItems({ collection: name, sort: 'id', limit: MOST_ITEMS }, { siteId }, minPosition));
      if (page.ok && page.data.rows.length > 0) sampled[name] = page.data.rows.map(({ id, data }) => ({ id, data }));
    }
    return sampled;
  }

  /** By id, because how recent each is changes from moment to moment and the app must not. */
  private async memories({ principal, siteId, now, goalId }: Wish, minPosition: bigint): Promise<SiteContext['memories']> {
    const reader = { siteId, role: principal.agentRole ?? null, goalId, userId: personId(principal) };
    const { rows } = await this.bus.ask(new SearchMemory(reader, { now, limit: MOST_MEMORIES, minPosition }));
    return rows.map(({ id, content }) => ({ id, content })).toSorted((a, b) => (a.id < b.id ? -1 : 1));
  }
}

/** What the rules say whatever the hour is; those that depend on it would make the app of the morning another than that of the evening. */
const rulingsOn = (name: string, rules: readonly PolicyRule[], site: Governance, role: string | undefined): readonly Ruling[] => {
  const timeless = rules.filter(({ when }) => when.time === undefined);
  return (Object.entries(OPERATIONS) as [Operation, string][]).flatMap(([operation, toolName]) => {
    const tool = toolOf(site, toolName);
    const decided = tool && applyPolicies(timeless, { tool, role, origin: 'user', arguments: { collection: name }, now: new Date(0) }, matchesPattern).decided;
    return decided ? [{ operation, effect: decided.do, rule: decided.rule }] : [];
  });
};
