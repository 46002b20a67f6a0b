import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Executor, InMemoryEventStore, States, type AppendResult, type Guard, type StreamWrite } from '@app/event-store';
import { governance, governanceEvents, intentStatus, type GovernanceEvent } from '@app/governance/contract';
import { Catalogue, type Context, type Event, type Recorded } from '@app/kernel';
import { ada, context, robot } from '@app/kernel/testing';
import { collectionEvents, type CollectionEvent } from '../collection.events';
import { collection } from '../collection.state';
import { articlesCreated, AT, ITEM_ID, itemCreated } from '../content.examples';
import { itemEvents, type ItemEvent } from '../item.events';
import { item } from '../item.state';
import { ItemWriter } from '../item-writer';
import { UpdateItem } from './update-item.command';
import { UpdateItemHandler } from './update-item.handler';

/** Lets others go first for a while between a decision and its append. */
class SlowStore extends InMemoryEventStore {
  turns: Iterator<number> = [].values();

  override async append(writes: readonly StreamWrite[], guards: readonly Guard[], appending: Context): Promise<AppendResult> {
    for (let turn = this.turns.next().value ?? 0; turn > 0; turn--) await Promise.resolve();
    return super.append(writes, guards, appending);
  }
}

const INTENT = `int_${'1'.repeat(32)}`;
const governed: CollectionEvent = { type: 'CollectionGoverned', data: { intentId: INTENT, at: AT } };
const released: CollectionEvent = { type: 'CollectionReleased', data: { intentId: INTENT, at: AT } };
const paused: GovernanceEvent = { type: 'IntentPaused', data: { intentId: INTENT, by: 'key_ada', reason: null } };
const resumed: GovernanceEvent = { type: 'IntentResumed', data: { intentId: INTENT, by: 'key_ada' } };
const broken: GovernanceEvent = { type: 'IntentBroken', data: { intentId: INTENT, reason: 'Three failures', incidentId: 'inc_1' } };
const frozen: GovernanceEvent = { type: 'ScopeFrozen', data: { freezeId: 'f1', scope: 'intent', targetId: INTENT, reason: null, by: 'key_ada' } };

let commands = 0;
const world = async (...events: readonly (CollectionEvent | GovernanceEvent)[]) => {
  const store = new SlowStore({ catalogue: new Catalogue(collectionEvents, itemEvents, governanceEvents) });
  const write = (streamId: string, written: readonly Event[]) => store.append([{ streamId, expected: 'any', events: written }], [], context({ commandId: `w${commands++}` }));
  await write('governance-site_a', [{ type: 'SiteCreated', data: { siteId: 'site_a', name: 'A' } }]);
  await write('collection-site_a.articles', [articlesCreated()]);
  await write(`item-${ITEM_ID}`, [itemCreated()]);
  for (const event of events) await write(event.type.startsWith('Collection') ? 'collection-site_a.articles' : 'governance-site_a', [event]);
  return { store, write };
};
const processOn = (store: InMemoryEventStore) => {
  const handler = new UpdateItemHandler(new ItemWriter(new Executor(store, new States(store))));
  return (data: Record<string, unknown>, by: Partial<Context> = { actor: ada }) =>
    handler.execute(new UpdateItem({ collection: 'articles', id: ITEM_ID, data }, context({ commandId: `c${commands++}`, ...by })));
};
const logOf = async (store: InMemoryEventStore) => {
  const events: Recorded[] = [];
  for await (const page of store.readAll(0n)) events.push(...page);
  return events;
};
const pinned = async (store: InMemoryEventStore) => (await logOf(store)).flatMap((event) => (event.type === 'FieldPinned' ? [(event.data as { field: string }).field] : []));

describe('An edit by hand', () => {
  it('[CONTENT-017] of a collection that an active intent governs pins the touched fields, in the append of the edit', async () => {
    const { store } = await world(governed);
    const edit = processOn(store);
    expect((await edit({ title: 'Mine', words: 3, status: 'draft' })).ok).toBe(true);
    expect(await pinned(store)).toEqual(['title', 'words']);
    const batch = (await logOf(store)).slice(-3);
    expect([batch.map(({ type }) => type), new Set(batch.map(({ chain }) => chain.batch)).size]).toEqual([['ItemPatched', 'FieldPinned', 'FieldPinned'], 1]);
    await edit({ title: 'Mine again' });
    expect(await pinned(store)).toEqual(['title', 'words']);
    expect(await edit({ title: 'Theirs' }, { actor: robot })).toMatchObject({ ok: false, rejection: { code: 'PINNED_BY_HUMAN' } });
  });

  it.each([
    ['that nobody governs', []], ['whose intent was deleted', [governed, released]], ['whose intent is paused', [governed, paused]], ['whose intent broke', [governed, broken]],
    ['whose intent the kill switch holds', [governed, frozen]],
  ] as const)('[CONTENT-018] of a collection %s pins nothing', async (_what, events) => {
    const { store } = await world(...events);
    expect((await processOn(store)({ title: 'Mine' })).ok).toBe(true);
    expect(await pinned(store)).toEqual([]);
  });

  it('pins nothing when an agent, a service or a run makes it, and again when its intent was resumed', async () => {
    const { store } = await world(governed, paused, resumed);
    const edit = processOn(store);
    await edit({ title: 'Theirs' }, { actor: robot });
    await edit({ title: 'Job' }, { actor: { kind: 'service', id: 'key_job' } });
    await edit({ title: 'Run' }, { actor: ada, runId: 'run_1' });
    expect(await pinned(store)).toEqual([]);
    await edit({ title: 'Mine' });
    expect(await pinned(store)).toEqual(['title']);
  });

  it('[CONTENT-017] [CONTENT-018] pins exactly when an intent is active at its position, whatever comes in between decision and append', async () => {
    const change = fc.constantFrom<CollectionEvent | GovernanceEvent>(governed, released, paused, resumed, broken, frozen, { type: 'FreezeLifted', data: { freezeId: 'f1', by: 'key_ada' } });
    let [withPins, without] = [0, 0];
    await fc.assert(
      fc.asyncProperty(fc.array(change, { maxLength: 2 }).map((more) => [governed, ...more]), fc.array(fc.tuple(change, fc.nat(30)), { maxLength: 6 }), fc.array(fc.nat(20), { maxLength: 20 }), fc.nat(2), async (before, during, turns, edits) => {
        const { store, write } = await world(...before);
        const processes = [processOn(store), processOn(store), processOn(store)];
        // Warm states of each process, which the changes then make old.
        for (const [nr, edit] of processes.entries()) await edit({ words: nr }, { actor: { kind: 'service', id: 'key_job' } });
        store.turns = turns.values();
        const writes = during.map(async ([event, delay]) => {
          for (let turn = delay; turn > 0; turn--) await Promise.resolve();
          await write(event.type.startsWith('Collection') ? 'collection-site_a.articles' : 'governance-site_a', [event]);
        });
        await Promise.all([...writes, ...Array.from({ length: edits + 1 }, (_, nr) => processes[nr]!({ title: `Mine ${nr}` }))]);
        let [site, articles, article] = [governance.initial, collection.initial, item.initial];
        const log = await logOf(store);
        for (const [nr, event] of log.entries()) {
          const isEdit = event.type === 'ItemPatched' && event.metadata.actor.kind === 'human';
          if (isEdit && article.status === 'live' && articles.status === 'live' && !Object.hasOwn(article.pins, 'title')) {
            const active = articles.governedBy.some((intentId) => intentStatus(site, intentId) === 'active');
            expect(log[nr + 1]?.type === 'FieldPinned' && log[nr + 1]?.streamId === event.streamId).toBe(active);
            if (active) withPins++;
            else without++;
          }
          if (event.streamId.startsWith('governance-')) site = governance.evolve(site, event as unknown as GovernanceEvent);
          if (event.streamId.startsWith('collection-')) articles = collection.evolve(articles, event as unknown as CollectionEvent);
          if (event.streamId.startsWith('item-')) article = item.evolve(article, event as unknown as ItemEvent);
        }
      }),
      { numRuns: 200 },
    );
    expect(Math.min(withPins, without)).toBeGreaterThan(40);
  });
});
