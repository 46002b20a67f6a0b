import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Line, type Hold } from '../chaos/line';
import { until } from './machine';
import { Processes } from './processes';
import { ADMIN_KEY, type Body } from './server';
import { stagedChanges } from './staged-changes';

const MASTER_KEY = 'ab'.repeat(32);
const SCHEDULER = 'agent-veto-commits';
/** Long enough to stage everything and to lose a worker before the first deadline. */
const WINDOW_MS = 6_000;
const SHORT_MS = 2_000;
const SETTLE_MS = 30_000;

type Change = { readonly itemId: string; readonly stagingId: string; readonly approvalId: string; readonly dueAt: number };

describe('A staged change whose workers are killed', () => {
  const { server, put, streamOf, typesOf, open, itemNow } = stagedChanges({ HARNESS_ROLES: 'gateway', HARNESS_MASTER_KEY: MASTER_KEY });
  const processes = new Processes();
  let line: Line;
  beforeAll(async () => {
    line = await Line.to(server().database);
    // The database notes by its own clock when a commit comes in, whatever the event says.
    await server().pool.query(`
      CREATE TABLE commit_seen (stream_id text NOT NULL, seen timestamptz NOT NULL);
      CREATE FUNCTION see_commit() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN INSERT INTO commit_seen VALUES (NEW.stream_id, clock_timestamp()); RETURN NULL; END $$;
      CREATE TRIGGER see_commit AFTER INSERT ON es_event FOR EACH ROW WHEN (NEW.type = 'StagingCommitted') EXECUTE FUNCTION see_commit()`);
  });
  afterAll(async () => {
    await processes.cleanUp();
    await line.close();
  });

  const worker = (databaseUrl: string) => processes.start({ DATABASE_URL: databaseUrl, HARNESS_BOOTSTRAP_KEY: ADMIN_KEY, HARNESS_MASTER_KEY: MASTER_KEY, HARNESS_ROLES: 'worker' });
  const victim = () => worker(line.url(server().database));
  /** A worker that is killed with SIGKILL when its line to the database has fallen silent at this statement. */
  const killAt = async (when: Hold['when'], ...mark: string[]) => {
    const reached = line.holdAt({ when, mark });
    const killed = await victim();
    await reached;
    await killed.kill();
    line.cut();
  };

  const stage = async (change: Awaited<ReturnType<typeof open>>['change'], itemId: string): Promise<Change> => {
    const { stagingId, approvalId, autoCommitAt } = (await change(itemId, { title: 'After' })).data as Body;
    return { itemId, stagingId, approvalId, dueAt: Date.parse(autoCommitAt as string) };
  };
  const stageAll = async (count: number, windowMs: number): Promise<readonly Change[]> => {
    const { newItem, change } = await open({ budget: { maxToolCalls: 200, timeoutMs: 600_000 } });
    const items: string[] = [];
    for (let nr = 0; nr < count; nr++) items.push(await newItem());
    await put('settings', { vetoWindowMs: windowMs });
    const changes: Change[] = [];
    for (const itemId of items) changes.push(await stage(change, itemId));
    return changes;
  };
  const deadlines = async () => (await server().pool.query<{ key: string }>('SELECT key FROM deadline WHERE scheduler = $1', [SCHEDULER])).rows.map(({ key }) => key);
  const scheduled = (changes: readonly Change[]) => until(async () => {
    const keys = await deadlines();
    return changes.every(({ stagingId }) => keys.includes(stagingId));
  }, () => 'the deadlines of all changes', SETTLE_MS);
  /** The sweep looks through the read model. */
  const listed = (changes: readonly Change[]) => until(async () => {
    const { status, body } = await server().admin('GET', 'agent/staged?status=staged&limit=200', undefined, { 'x-min-position': String(await server().head()) });
    return status === 200 && changes.every(({ stagingId }) => (body.data as Body[]).some(({ id }) => id === stagingId));
  }, () => 'the changes in the list', SETTLE_MS);
  const clock = (ms: number) => until(() => Date.now() >= ms, () => 'the deadline', SETTLE_MS);
  const settled = (changes: readonly Change[]) => until(async () => {
    const open = new Set(changes.map(({ stagingId }) => stagingId));
    for (const { type, stream_id: streamId } of await server().log()) if (type !== 'ChangeStaged') open.delete((streamId as string).slice('staging-'.length));
    return open.size === 0;
  }, () => 'all changes to be settled', SETTLE_MS);
  /** One commit, one revision of the item, one end of the question; and none of them before its time, by the clock of the one that wrote it and by the database's. */
  const expectOnce = async (changes: readonly Change[]) => {
    for (const { itemId, stagingId, approvalId, dueAt } of changes) {
      expect([await typesOf(stagingId), await typesOf(itemId), await typesOf(approvalId)]).toEqual([
        ['ChangeStaged', 'StagingCommitted'], ['ItemCreated', 'ItemPatched'], ['ApprovalRequested', 'ApprovalApproved'],
      ]);
      expect(await itemNow(itemId)).toMatchObject({ version: 2, data: { title: 'After', price: 5 } });
      expect(Date.parse((await streamOf(stagingId))[1].data.committedAt as string)).toBeGreaterThanOrEqual(dueAt);
      const { rows } = await server().pool.query<{ seen: Date }>(`SELECT seen FROM commit_seen WHERE stream_id = $1`, [`staging-${stagingId}`]);
      expect(rows.map(({ seen }) => seen.getTime() >= dueAt)).toEqual([true]);
    }
  };
  const sweep = async (runId: string): Promise<Body> => (await server().admin('POST', `agent/runs/${runId}/tool-calls`, { tool: 'veto-sweep', arguments: {} })).body.data;

  it('[RELI-003] around its deadline, during a downtime across it, or while they race each other and the sweep, is committed: not early, and once', async () => {
    // Before: the process dies with deadlines on the table, and with one that it was about to write.
    const first = await victim();
    const changes = [...await stageAll(7, WINDOW_MS)];
    await scheduled(changes);
    const unwritten = line.holdAt({ when: 'before', mark: ['INSERT INTO deadline', SCHEDULER] });
    changes.push(...await stageAll(1, WINDOW_MS));
    await unwritten;
    await first.kill();
    line.cut();
    const [one, two, three, four, ...others] = changes as [Change, Change, Change, Change, ...Change[]];

    // At it, and each time in another moment: before the commit, after it, before its deadline is taken off the table, and with that not yet committed.
    await killAt('before', 'StagingCommitted', one.stagingId);
    expect(await typesOf(one.stagingId)).toEqual(['ChangeStaged']);
    await killAt('after', 'StagingCommitted', two.stagingId);
    expect([await typesOf(one.stagingId), await typesOf(two.stagingId)]).toEqual([['ChangeStaged', 'StagingCommitted'], ['ChangeStaged', 'StagingCommitted']]);
    await killAt('before', 'DELETE FROM deadline', three.stagingId);
    await killAt('after', 'DELETE FROM deadline', four.stagingId);
    expect(await deadlines()).toContain(four.stagingId);

    // Across it: everybody is dead when the others come due, and two come up at once.
    await clock(Math.max(...changes.map(({ dueAt }) => dueAt)));
    for (const { stagingId } of others) expect(await typesOf(stagingId)).toEqual(['ChangeStaged']);
    await Promise.all([worker(server().databaseUrl), worker(server().databaseUrl)]);
    await settled(changes);
    await expectOnce(changes);

    // Two workers that live, and two sweeps that ask for no lock, at the same deadlines.
    const upkeep = { title: 'Upkeep', agentName: 'upkeep', budget: { maxToolCalls: 10_000, timeoutMs: 600_000 } };
    const { runId } = (await server().admin('POST', 'agent/goals', upkeep)).body.data as Body;
    const raced = await stageAll(6, SHORT_MS);
    const sweeping = { on: true };
    const sweepers = [1, 2].map(async () => {
      while (sweeping.on) expect(await sweep(runId as string)).toMatchObject({ status: 'executed' });
    });
    await settled(raced);
    sweeping.on = false;
    await Promise.all(sweepers);
    await expectOnce(raced);

    // The sweep alone: the deadlines are lost.
    const lost = await stageAll(3, SHORT_MS);
    await scheduled(lost);
    await listed(lost);
    await server().pool.query('DELETE FROM deadline WHERE scheduler = $1', [SCHEDULER]);
    expect(await sweep(runId as string)).toMatchObject({ status: 'executed', result: { tried: 0 } });
    await clock(Math.max(...lost.map(({ dueAt }) => dueAt)));
    for (const { stagingId } of lost) expect(await typesOf(stagingId)).toEqual(['ChangeStaged']);
    await Promise.all([sweep(runId as string), sweep(runId as string)]);
    await expectOnce(lost);
    expect((await server().log()).filter(({ type }: Body) => /^StagingCommit|^StagingAband/.test(type as string))).toHaveLength(changes.length + raced.length + lost.length);
  }, 180_000);
});
