import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Executor, InMemoryEventStore, States, type AppendResult, type Guard, type StreamWrite } from '@app/event-store';
import { Catalogue, type Context, type Recorded } from '@app/kernel';
import { ada, context, robot } from '@app/kernel/testing';
import { articlesCreated, ITEM_ID, itemCreated } from '../content.examples';
import { collectionEvents } from '../collection.events';
import { itemEvents, type ItemEvent } from '../item.events';
import { item } from '../item.state';
import { ItemWriter } from '../item-writer';
import { ReleasePinsHandler } from '../release-pins/release-pins.handler';
import { ReleasePins } from '../release-pins/release-pins.command';
import { UpdateItemHandler } from '../update-item/update-item.handler';
import { UpdateItem } from '../update-item/update-item.command';
import { PinFieldsHandler } from './pin-fields.handler';
import { PinFields } from './pin-fields.command';

/** Lets others go first for a while between a decision and its append: the gap that a pin could slip into. */
class SlowStore extends InMemoryEventStore {
  turns: Iterator<number> = [].values();

  override async append(writes: readonly StreamWrite[], guards: readonly Guard[], appending: Context): Promise<AppendResult> {
    for (let turn = this.turns.next().value ?? 0; turn > 0; turn--) await Promise.resolve();
    return super.append(writes, guards, appending);
  }
}

const target = { collection: 'articles', id: ITEM_ID };
const FIELDS = ['title', 'body', 'words'] as const;
const valueOf = (field: (typeof FIELDS)[number], n: number) => (field === 'words' ? n : `text ${n}`);

/** One process: its own warm states over the common log. */
const processOn = (store: SlowStore) => {
  const items = new ItemWriter(new Executor(store, new States(store)));
  const [update, pin, release] = [new UpdateItemHandler(items), new PinFieldsHandler(items), new ReleasePinsHandler(items)];
  return {
    write: (fields: readonly (typeof FIELDS)[number][], n: number, by: Partial<Context>) =>
      update.execute({ body: { ...target, data: Object.fromEntries(fields.map((field) => [field, valueOf(field, n)])) }, context: context({ commandId: `w${n}`, ...by }) } as UpdateItem),
    pin: (fields: readonly string[], n: number) => pin.execute(new PinFields(target, { fields: [...fields] }, context({ actor: ada, commandId: `p${n}` }))),
    release: (field: string, n: number) => release.execute(new ReleasePins({ ...target, field }, context({ actor: ada, commandId: `r${n}` }))),
  };
};

const world = async () => {
  const store = new SlowStore({ catalogue: new Catalogue(collectionEvents, itemEvents) });
  await store.append([{ streamId: 'collection-site_a.articles', expected: 'none', events: [articlesCreated()] }, { streamId: `item-${ITEM_ID}`, expected: 'none', events: [itemCreated()] }], [], context());
  return store;
};
const historyOf = async (store: InMemoryEventStore) => {
  const events: Recorded<ItemEvent>[] = [];
  for await (const event of store.read(`item-${ITEM_ID}`)) events.push(event as Recorded<ItemEvent>);
  return events;
};

const fields = fc.uniqueArray(fc.constantFrom(...FIELDS), { minLength: 1 });
const act = fc.record({ by: fc.constantFrom('agent', 'run of a person', 'person', 'pin', 'release'), process: fc.nat(2), fields });

describe('A pin', () => {
  it('[CONTENT-020] property O2: always wins over an agent\'s write, whatever comes in between, in any of three processes', async () => {
    let refused = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(act, { minLength: 2, maxLength: 8 }), fc.array(fc.nat(12), { maxLength: 24 }), async (acts, turns) => {
        const store = await world();
        const processes = [processOn(store), processOn(store), processOn(store)];
        // Every process has seen the item before any pin was made, so each decides on a state that others make old.
        for (const [n, each] of processes.entries()) await each.write(['body'], n, { actor: robot });
        store.turns = turns.values();
        const answers = await Promise.all(acts.map(({ by, process, fields: on }, nr) => {
          const [each, n] = [processes[process]!, 100 + nr];
          if (by === 'pin') return each.pin(on, n);
          if (by === 'release') return each.release(on[0]!, n);
          return each.write(on, n, by === 'agent' ? { actor: robot } : { actor: ada, ...(by !== 'person' && { runId: 'run_1' }) });
        }));
        let state = item.initial;
        for (const event of await historyOf(store)) {
          const isAgents = event.metadata.actor.kind === 'agent' || event.metadata.runId !== undefined;
          if (event.type === 'ItemPatched' && isAgents && state.status === 'live') {
            expect(Object.keys(event.data.patch).filter((field) => Object.hasOwn(state.status === 'live' ? state.pins : {}, field))).toEqual([]);
          }
          state = item.evolve(state, event);
        }
        for (const [nr, answer] of answers.entries()) {
          if (acts[nr]!.by === 'pin' || acts[nr]!.by === 'person') expect(answer.ok).toBe(true);
          if (!answer.ok) {
            refused++;
            expect(answer.rejection.code).toBe('PINNED_BY_HUMAN');
          }
        }
      }),
      { numRuns: 300 },
    );
    expect(refused).toBeGreaterThan(50);
  });

  it('[CONTENT-020] made immediately before the write wins, also where nobody has heard of it yet', async () => {
    const store = await world();
    const [here, there] = [processOn(store), processOn(store)];
    await there.write(['body'], 1, { actor: robot });
    await here.pin(['title'], 2);
    expect(await there.write(['title', 'body'], 3, { actor: robot })).toMatchObject({ ok: false, rejection: { code: 'PINNED_BY_HUMAN', facts: { fields: ['title'] } } });
    expect((await historyOf(store)).map(({ type }) => type)).toEqual(['ItemCreated', 'ItemPatched', 'FieldPinned']);
  });
});
