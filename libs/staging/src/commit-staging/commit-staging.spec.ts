import { describe, expect, it } from '@jest/globals';
import { InMemoryEventStore } from '@app/event-store';
import type { Event, Recorded } from '@app/kernel';
import { VetoStaging } from '../veto-staging/veto-staging.command';
import { VetoStagingHandler } from '../veto-staging/veto-staging.handler';
import { ADA, APPROVAL, at, catalogue, contextAt, ITEM, logOf, processOn, ROBOT, STAGING, stagedWorld, WINDOW_MS } from '../testing/veto-world';

const DEADLINE = WINDOW_MS / 60_000;
const HASH = 'a'.repeat(64);

const world = async () => {
  const store = new InMemoryEventStore({ catalogue });
  await stagedWorld(store, { title: 'new' }, { title: 'old', body: 'old' });
  const write = async (streamId: string, ...events: Event[]) => expect(await store.append([{ streamId, expected: 'any', events }], [], contextAt(1))).toMatchObject({ ok: true });
  const eventsOf = async (streamId: string): Promise<readonly Recorded[]> => (await logOf(store)).filter((event) => event.streamId === streamId);
  return {
    process: processOn(store), write,
    staging: async () => (await eventsOf(`staging-${STAGING}`)).slice(1),
    approval: async () => (await eventsOf(`approval-${APPROVAL}`)).slice(1),
    item: async () => (await eventsOf(`item-${ITEM}`)).slice(1),
  };
};

const cancelledRun: readonly Event[] = [
  { type: 'RunStarted', data: { runId: 'run_1', goalId: 'goal_1', agentName: 'robot', agentRole: 'Writer', kind: 'external' } },
  {
    type: 'EnvelopeSealed',
    data: {
      envelope: {
        goalId: 'goal_1', runId: 'run_1', agentName: 'robot', agentRole: 'Writer', context: { siteId: 'site_a', collections: [], policySnapshotHash: HASH },
        budget: { maxToolCalls: 20, maxCostUsd: 2, timeoutMs: 30_000, maxArtifactBytes: 524_288 }, risk: 'safe', approvalPolicy: 'none', artifacts: [],
        capabilities: ['*'], principalId: ROBOT.id,
      },
    },
  },
  { type: 'RunCancelled', data: { stopReason: 'cancelled_by_user' } },
];

describe('Committing a staged change', () => {
  it('happens at the very end of the window and not a millisecond before', async () => {
    const { process, staging } = await world();
    expect([await process.tick(DEADLINE - 1 / 60_000), await staging()]).toEqual(['later', []]);
    expect([await process.tick(DEADLINE), (await staging())[0]]).toMatchObject(['done', { type: 'StagingCommitted', occurredAt: at(DEADLINE).toISOString(), data: { itemVersion: 2 } }]);
  });

  it('writes staging, item and approval in one append, and nothing when it is asked for again', async () => {
    const { process, staging, approval, item } = await world();
    for (let n = 0; n < 3; n++) expect(await process.tick(DEADLINE + n)).toBe('done');
    const written = [...(await staging()), ...(await approval()), ...(await item())];
    expect(written.map(({ type }) => type)).toEqual(['StagingCommitted', 'ApprovalApproved', 'ItemPatched']);
    expect(new Set(written.map(({ chain }) => chain.batch)).size).toBe(1);
  });

  it('keeps a person\'s word over a crash: the next look commits, and names it as the cause', async () => {
    const { process, write, staging, item } = await world();
    await write(`approval-${APPROVAL}`, { type: 'ApprovalApproved', data: { by: ADA, decidedAt: at(1).toISOString(), channel: 'api', assurance: 'api_key', actionDigest: HASH } });
    await process.tick(2);
    expect((await staging())[0]).toMatchObject({ type: 'StagingCommitted', data: { cause: 'person', by: ADA } });
    expect((await item())[0]).toMatchObject({ type: 'ItemPatched', metadata: { actor: ROBOT, runId: 'run_1' } });
  });

  it('does not happen by silence once a person has cancelled the run, but by a person\'s word it does', async () => {
    const [silent, spoken] = [await world(), await world()];
    for (const { write } of [silent, spoken]) await write('run-run_1', ...cancelledRun);
    await silent.process.tick(DEADLINE);
    expect([await silent.staging(), await silent.approval(), await silent.item()]).toMatchObject([[{ type: 'StagingAbandoned', data: { reason: 'run_cancelled' } }], [{ type: 'ApprovalSuperseded' }], []]);
    expect(await spoken.process.commitNow(10)).toMatchObject({ ok: true, data: { status: 'committed', outcome: 'commit' } });
  });

  it('is given up when the item is gone', async () => {
    const { process, write, staging } = await world();
    await write(`item-${ITEM}`, { type: 'ItemDeleted', data: { collection: 'articles', before: { title: 'old', body: 'old' }, at: at(5).toISOString() } });
    await process.tick(DEADLINE);
    expect(await staging()).toMatchObject([{ type: 'StagingAbandoned', data: { reason: 'item_gone', dropped: [] } }]);
  });

  it('changes nothing where the item holds the value already', async () => {
    const { process, staging, item } = await world();
    await process.edit(5, 'title', 'new', { actor: ROBOT, runId: 'run_2' });
    await process.tick(DEADLINE);
    expect([(await item()).length, await staging()]).toMatchObject([1, [{ type: 'StagingCommitted', data: { fields: ['title'], itemVersion: 2 } }]]);
  });

  it('is decided by people: no agent says yes or no', async () => {
    const { process, staging } = await world();
    const asAgent = contextAt(1, { actor: ROBOT });
    expect(await new VetoStagingHandler(process.executor).execute(new VetoStaging(STAGING, {}, asAgent))).toMatchObject({ ok: false, rejection: { code: 'FORBIDDEN' } });
    expect(await staging()).toEqual([]);
  });
});
