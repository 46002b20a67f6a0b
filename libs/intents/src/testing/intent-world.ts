import { approvalEvents } from '@app/approvals/contract';
import { collection, collectionEvents, collectionId, decideUpdateItem, item, itemEvents, type ItemData, type ItemEvent } from '@app/content/contract';
import { Executor, InMemoryEventStore, States, type EventStore } from '@app/event-store';
import { goal, goalEvents, type GoalEvent } from '@app/goals/contract';
import { governance, governanceEvents, type GovernanceEvent } from '@app/governance/contract';
import { matchesPattern, patternProblem } from '@app/json-schema';
import { accept, Catalogue, type Context, type Event, type Recorded } from '@app/kernel';
import { runEvents } from '@app/runs/contract';
import { incidentEvents } from '@app/trust/contract';
import { ChangeIntentHandler } from '../change-intent/change-intent.handler';
import { ChangeIntent } from '../change-intent/change-intent.command';
import { IntentCycle } from '../cycle/intent-cycle';
import { ItemPages, type ListedItem } from '../cycle/item-pages';
import { LinkChecker, type LinkQuestion } from '../cycle/link-checker';
import type { CycleView } from '../cycle/cycle.view';
import { DeclareIntent } from '../declare-intent/declare-intent.command';
import { DeclareIntentHandler } from '../declare-intent/declare-intent.handler';
import { DeleteIntent } from '../delete-intent/delete-intent.command';
import { DeleteIntentHandler } from '../delete-intent/delete-intent.handler';
import { intentEvents, type IntentEvent } from '../intent.events';
import { DeclareIntentBody } from '../intent.schema';
import { intent, type LiveIntent } from '../intent.state';
import { PauseIntent, type Wish } from '../pause-intent/pause-intent.command';
import { PauseIntentHandler } from '../pause-intent/pause-intent.handler';
import { DriftSettler } from '../settle-drift/drift-settler';

export const catalogue = new Catalogue(governanceEvents, collectionEvents, itemEvents, runEvents, goalEvents, approvalEvents, incidentEvents, intentEvents);

export const SITE = 'site_a';
/** A Tuesday, at noon. */
export const START = Date.parse('2030-01-01T12:00:00.000Z');
export const ADA = { kind: 'human', id: 'key_ada' } as const;
export const ROBOT = { kind: 'agent', id: 'key_robot' } as const;
export const itemId = (nr: number) => `item_${nr.toString(16).padStart(32, '0')}`;

let commands = 0;
export const at = (minutes: number) => new Date(START + minutes * 60_000);
export const contextAt = (minutes: number, more: Partial<Context> = {}): Context => ({
  actor: ADA, siteId: SITE, now: at(minutes), correlationId: 'corr', commandId: `cmd-${commands++}`, ...more,
});

export const logOf = async (store: EventStore): Promise<readonly Recorded[]> => {
  const events: Recorded[] = [];
  for await (const page of store.readAll(0n)) events.push(...page);
  return events;
};

/** A site whose reconciler is on, with articles of title and body. */
export const siteWith = async (store: EventStore, articles: readonly ItemData[], { reconciler = true, fields: more = [] as readonly string[] } = {}) => {
  const write = async (streamId: string, events: readonly Event[]) => {
    const written = await store.append([{ streamId, expected: 'any', events }], [], contextAt(0));
    if (!written.ok) throw new Error(`The world could not be made: ${JSON.stringify(written)}`);
  };
  await write(`governance-${SITE}`, [{ type: 'SiteCreated', data: { siteId: SITE, name: 'A' } }, ...(reconciler ? [{ type: 'FlagChanged', data: { flag: 'reconciler', on: true } }] : [])]);
  const fields = [{ name: 'title', type: 'text' }, { name: 'body', type: 'longtext' }, { name: 'translations', type: 'json' }, ...more.map((name) => ({ name, type: 'text' }))];
  await write(`collection-${collectionId(SITE, 'articles')}`, [{ type: 'CollectionCreated', data: { siteId: SITE, name: 'articles', fields, at: at(0).toISOString() } }]);
  for (const [nr, data] of articles.entries()) await write(`item-${itemId(nr)}`, [{ type: 'ItemCreated', data: { siteId: SITE, collection: 'articles', data, at: at(0).toISOString() } }]);
};

/** Reads the log itself, so it is never behind. */
class LogPages extends ItemPages {
  constructor(
    private readonly store: EventStore,
    private readonly page: number,
  ) {
    super();
  }

  override caughtUp = () => Promise.resolve();

  override async after(siteId: string, name: string, after: string | null): Promise<readonly ListedItem[]> {
    const states = new Map<string, typeof item.initial>();
    for await (const page of this.store.readAll(0n, { filter: { siteId, categories: ['item'] } })) {
      for (const event of page) states.set(event.streamId, item.evolve(states.get(event.streamId) ?? item.initial, event as unknown as ItemEvent));
    }
    const listed = [...states].flatMap(([streamId, state]) =>
      state.status === 'live' && state.collection === name ? [{ id: streamId.slice('item-'.length), data: state.data, updatedAt: state.updatedAt }] : [],
    );
    return listed.filter(({ id }) => after === null || id > after).toSorted((a, b) => (a.id < b.id ? -1 : 1)).slice(0, this.page);
  }
}

class KnownLinks extends LinkChecker {
  constructor(private readonly dead: readonly string[]) {
    super();
  }

  override isReachable = ({ url }: LinkQuestion) => Promise.resolve(!this.dead.includes(url));
}

type More = { readonly page?: number; readonly dead?: readonly string[]; readonly scanMs?: number; readonly monotonicMs?: () => number };

/** One process with its own warm states over the common log. */
export const processOn = (store: EventStore, clock: { minute: number }, { page = 3, dead = [], ...options }: More = {}) => {
  const executor = new Executor(store, new States(store));
  const now = () => at(clock.minute);
  const links = new KnownLinks(dead);
  const cycle = new IntentCycle({ store, executor, pages: new LogPages(store, page), links, now, ...options });
  const settler = new DriftSettler({ store, executor, links, now });
  const refs = (id: string) => ({ item: { aggregate: item, id }, collection: { aggregate: collection, id: collectionId(SITE, 'articles'), guard: true } }) as const;
  const patterns = { problem: patternProblem, matches: matchesPattern };
  const decided = async <T>(outcome: Promise<{ readonly ok: true; readonly data: T } | { readonly ok: false; readonly rejection: unknown }>): Promise<T> => {
    const done = await outcome;
    if (!done.ok) throw new Error(JSON.stringify(done.rejection));
    return done.data;
  };
  return {
    executor,
    declare: (body: object) => decided(new DeclareIntentHandler(executor).execute(new DeclareIntent(DeclareIntentBody.parse({ name: 'Titles', collection: 'articles', rules: [{ type: 'required_fields', fields: ['title'] }], ...body }), contextAt(clock.minute)))),
    change: (intentId: string, body: object) => decided(new ChangeIntentHandler(executor).execute(new ChangeIntent(intentId, body, contextAt(clock.minute)))),
    remove: (intentId: string) => decided(new DeleteIntentHandler(executor).execute(new DeleteIntent(intentId, contextAt(clock.minute)))),
    wish: (intentId: string, wish: Wish) => new PauseIntentHandler(executor).execute(new PauseIntent(intentId, wish, contextAt(clock.minute))),
    /** A cycle that a person asks for, or one of the schedule. */
    cycle: async (intentId: string, dueMinute?: number): Promise<CycleView> =>
      decided(cycle.run(intentId, SITE, dueMinute === undefined ? { trigger: 'manual', dueAt: null } : { trigger: 'schedule', dueAt: at(dueMinute) }, { commandId: `cycle-${commands++}` })),
    intent: async (intentId: string) => (await executor.current(intent, intentId)).state as LiveIntent,
    governed: (...events: readonly GovernanceEvent[]) => executor.execute({ governance: { aggregate: governance, id: SITE } }, contextAt(clock.minute), () => accept({ governance: events })),
    edit: (nr: number, data: Record<string, unknown>, by: Partial<Context> = { actor: ROBOT }) => {
      const context = contextAt(clock.minute, by);
      return executor.execute(refs(itemId(nr)), context, (states, versions) => {
        const decision = decideUpdateItem(states, versions.item, { collection: 'articles', data }, context, patterns);
        return decision.ok ? accept({ item: decision.events }) : decision;
      });
    },
    pin: (nr: number, field: string) =>
      executor.execute({ item: refs(itemId(nr)).item }, contextAt(clock.minute), ({ item: state }) =>
        accept({ item: state.status === 'live' && !Object.hasOwn(state.pins, field) ? [{ type: 'FieldPinned', data: { collection: 'articles', field, by: ADA.id, at: now().toISOString() } }] : [] }),
      ),
    /** Ends a goal as its run would, and tells the intent, unless nobody hears it. */
    end: async (goalId: string, event: Extract<GoalEvent, { type: 'GoalSettled' | 'GoalCancelled' }>, isHeard = true) => {
      const context = contextAt(clock.minute, { goalId });
      await executor.execute({ goal: { aggregate: goal, id: goalId } }, context, ({ goal: state }) =>
        accept({ goal: state.status === 'open' ? [{ type: 'GoalStarted', data: { runId: 'run_1' } }, event] : state.status === 'running' ? [event] : [] }),
      );
      if (isHeard) await settler.settle(goalId, SITE, { commandId: `settle-${commands++}` });
    },
    settle: (goalId: string) => settler.settle(goalId, SITE, { commandId: `settle-${commands++}` }),
    goal: async (goalId: string) => (await executor.current(goal, goalId)).state,
  };
};
export type World = ReturnType<typeof processOn>;

/** An intent for the articles of a new site in a process of its own; a rule that asks for titles unless it says otherwise. */
export const intentWith = async (articles: readonly ItemData[], intentBody: object = {}, options: More & { readonly reconciler?: boolean } = {}) => {
  const store = new InMemoryEventStore({ catalogue });
  await siteWith(store, articles, options);
  const clock = { minute: 0 };
  const here = processOn(store, clock, options);
  const { id } = await here.declare(intentBody);
  return { store, clock, here, id };
};

export const ofIntent = async (store: EventStore) => (await logOf(store)).filter(({ streamId }) => streamId.startsWith('intent-')) as unknown as readonly Recorded<IntentEvent>[];

/** Goals that were created, with their drift, in the order of the log. */
export const goalsIn = async (store: EventStore) =>
  (await logOf(store)).flatMap((event) => (event.type === 'GoalCreated' ? [(event as unknown as Recorded<Extract<GoalEvent, { type: 'GoalCreated' }>>).data] : []));
