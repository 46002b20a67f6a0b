import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Executor, InMemoryEventStore, States, type AppendResult, type Guard, type StreamWrite } from '@app/event-store';
import { Catalogue, type Context, type Recorded } from '@app/kernel';
import { ada, context, robot } from '@app/kernel/testing';
import { collectionEvents } from '../collection.events';
import { articlesCreated, AT, ITEM_ID, itemCreated, itemPatched } from '../content.examples';
import { ItemWriter } from '../item-writer';
import { itemEvents, type ItemEvent } from '../item.events';
import { item } from '../item.state';
import { PromoteVersion } from '../item-versions/item-version.command';
import { PromoteVersionHandler } from '../item-versions/item-version.handlers';
import { RestoreRevision } from '../restore-revision/restore-revision.command';
import { RestoreRevisionHandler } from '../restore-revision/restore-revision.handler';
import { RevisionReader } from '../revision-reader';
import { PinFields } from './pin-fields.command';
import { PinFieldsHandler } from './pin-fields.handler';

/** Lets others go first for a while between a decision and its append. */
class SlowStore extends InMemoryEventStore {
  turns: Iterator<number> = [].values();

  override async append(writes: readonly StreamWrite[], guards: readonly Guard[], appending: Context): Promise<AppendResult> {
    for (let turn = this.turns.next().value ?? 0; turn > 0; turn--) await Promise.resolve();
    return super.append(writes, guards, appending);
  }
}

const place = { collection: 'articles', id: ITEM_ID };
const version = (name: string): ItemEvent => ({ type: 'VersionCreated', data: { collection: 'articles', name, baseVersion: 2, changes: { title: name }, at: AT } });

const world = async () => {
  const store = new SlowStore({ catalogue: new Catalogue(collectionEvents, itemEvents) });
  const history = [itemCreated(), itemPatched({ title: 'Hello', words: null }, { title: 'Bye', words: 3 }), version('spring'), version('autumn')];
  await store.append([{ streamId: 'collection-site_a.articles', expected: 'none', events: [articlesCreated()] }, { streamId: `item-${ITEM_ID}`, expected: 'none', events: history }], [], context());
  return store;
};
/** One process: its own warm states over the common log. */
const processOn = (store: SlowStore) => {
  const items = new ItemWriter(new Executor(store, new States(store)));
  const [restore, promote, pin] = [new RestoreRevisionHandler(items, new RevisionReader(store)), new PromoteVersionHandler(items), new PinFieldsHandler(items)];
  const by = (n: number) => context({ actor: robot, commandId: `a${n}` });
  return {
    restore: (n: number) => restore.execute(new RestoreRevision({ ...place, revision: 1 }, by(n))),
    spring: (n: number) => promote.execute(new PromoteVersion({ ...place, name: 'spring' }, by(n))),
    autumn: (n: number) => promote.execute(new PromoteVersion({ ...place, name: 'autumn' }, by(n))),
    pin: (n: number) => pin.execute(new PinFields(place, { fields: ['title'] }, context({ actor: ada, commandId: `p${n}` }))),
  };
};

const act = fc.record({ what: fc.constantFrom('restore', 'spring', 'autumn', 'pin'), process: fc.nat(1) });

describe('A pin', () => {
  it('property O2: wins over restoring and promoting too, whatever comes in between, in either of two processes', async () => {
    let refused = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(act, { minLength: 2, maxLength: 6 }), fc.array(fc.nat(12), { maxLength: 16 }), async (acts, turns) => {
        const store = await world();
        const processes = [processOn(store), processOn(store)];
        store.turns = turns.values();
        const answers = await Promise.all(acts.map(({ what, process }, n) => processes[process]![what](n)));
        let state = item.initial;
        for await (const recorded of store.read(`item-${ITEM_ID}`)) {
          const event = recorded as Recorded<ItemEvent>;
          if ((event.type === 'ItemRestored' || event.type === 'VersionPromoted') && state.status === 'live' && Object.hasOwn(state.pins, 'title')) expect(event.data.patch).not.toHaveProperty('title');
          state = item.evolve(state, event);
        }
        for (const answer of answers) {
          if (answer.ok) continue;
          expect(['PINNED_BY_HUMAN', 'GONE']).toContain(answer.rejection.code);
          if (answer.rejection.code === 'PINNED_BY_HUMAN') refused++;
        }
      }),
      { numRuns: 200 },
    );
    expect(refused).toBeGreaterThan(50);
  });
});
