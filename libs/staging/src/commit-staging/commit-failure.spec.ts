import { describe, expect, it } from '@jest/globals';
import { InMemoryEventStore } from '@app/event-store';
import { collectionEvents } from '@app/content/contract';
import { at, catalogue, contextAt, ITEM, logOf, processOn, SITE, STAGING, stagedWorld, WINDOW_MS } from '../testing/veto-world';

const DEADLINE = WINDOW_MS / 60_000;

/** The change names a field that the collection does not have: nothing that the window could commit. */
const unfit = async () => {
  const store = new InMemoryEventStore({ catalogue });
  await stagedWorld(store, { subtitle: 'new' }, { title: 'old' });
  const eventsOf = async (streamId: string) => (await logOf(store)).filter((event) => event.streamId === streamId);
  return { store, process: processOn(store), ofStaging: () => eventsOf(`staging-${STAGING}`), ofItem: () => eventsOf(`item-${ITEM}`) };
};

describe('A commit that fails', () => {
  it('[VETO-018] leaves the staging intact and is tried again after 1, 2, 4 and 8 minutes', async () => {
    const { process, ofStaging, ofItem } = await unfit();
    const tried: number[] = [];
    // The clock asks every half minute; only what is due is tried.
    for (let minute = DEADLINE; minute < DEADLINE + 30; minute += 0.5) {
      const before = (await ofStaging()).length;
      await process.tick(minute);
      if ((await ofStaging()).length > before) tried.push(minute - DEADLINE);
    }
    expect(tried).toEqual([0, 1, 3, 7, 15]);
    const failures = (await ofStaging()).slice(1);
    expect(failures.map(({ type, data }) => [type, (data as { attempt: number }).attempt])).toEqual([1, 2, 3, 4, 5].map((n) => ['StagingCommitFailed', n]));
    expect(failures[0]!.data).toMatchObject({ error: expect.stringContaining('does not fit'), retryAt: at(DEADLINE + 1).toISOString(), incidentId: null });
    expect((await ofItem()).map(({ type }) => type)).toEqual(['ItemCreated']);
    expect(await process.veto(DEADLINE + 40)).toMatchObject({ ok: true, data: { status: 'vetoed' } });
  });

  it('[VETO-018] commits as soon as what was wrong is put right', async () => {
    const { store, process, ofStaging, ofItem } = await unfit();
    await process.tick(DEADLINE);
    const field = { type: 'FieldAdded', data: { field: { name: 'subtitle', type: 'text' }, at: at(DEADLINE).toISOString() } };
    expect(catalogue.versionOf('FieldAdded')).toBe(collectionEvents.FieldAdded.version);
    await store.append([{ streamId: `collection-${SITE}.articles`, expected: 'any', events: [field] }], [], contextAt(DEADLINE));
    await process.tick(DEADLINE + 1);
    expect((await ofStaging()).map(({ type }) => type)).toEqual(['ChangeStaged', 'StagingCommitFailed', 'StagingCommitted']);
    expect((await ofItem()).at(-1)!.data).toMatchObject({ patch: { subtitle: 'new' } });
  });

  it('[VETO-019] opens one incident of source commit_failure with the fifth attempt, in the same append, and blames nobody', async () => {
    const { store, process, ofStaging } = await unfit();
    for (let minute = DEADLINE; minute < DEADLINE + 60; minute += 1) await process.tick(minute);
    const last = (await ofStaging()).at(-1)!;
    const { incidentId, retryAt } = last.data as { incidentId: string; retryAt: string | null };
    const incidents = (await logOf(store)).filter(({ type }) => type === 'IncidentOpened');
    expect([retryAt, incidents.map(({ streamId, chain, data }) => [streamId, chain.batch, data])]).toMatchObject([
      null, [[`incident-${incidentId}`, last.chain.batch, { source: 'commit_failure', severity: 'medium', agentRole: null, runId: 'run_1', demoted: [] }]],
    ]);
    expect(await process.commitNow(DEADLINE + 70)).toMatchObject({ ok: false, rejection: { code: 'VALIDATION_FAILED' } });
  });
});
