import { describe, expect, it } from '@jest/globals';
import { runHarness } from '../../apps/cli/src/testing/run-harness';
import { putLetter } from './dead-letters';
import { jobs } from './jobs';
import { until } from './machine';
import { ADMIN_KEY, type Body } from './server';

describe('Dead letters', () => {
  const { server, agent, eventsOf, ran } = jobs();
  const letters = async (query = '') => (await server().admin('GET', `ops/dead-letters${query}`)).body;
  const found = (runId: string) => until(async () => ((await letters()).data as Body[]).find((letter: Body) => letter.runId === runId), () => `the letter of ${runId}`, 30_000);
  const status = (runId: string, wanted: string) => until(async () => {
    const run = (await agent()('GET', `agent/runs/${runId}`)).body.data;
    return run.status === wanted ? (run as Body) : undefined;
  }, () => `${runId} to be ${wanted}`, 20_000);
  /** No worker can take a run over any more: the database refuses to write it down. */
  const breakWorkers = () => server().pool.query(`
    CREATE FUNCTION refuse_leases() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'The disk of leases is full'; END $$;
    CREATE TRIGGER refuse_leases BEFORE INSERT ON es_event FOR EACH ROW WHEN (NEW.type = 'LeaseTaken') EXECUTE FUNCTION refuse_leases()`);
  const mendWorkers = () => server().pool.query('DROP TRIGGER refuse_leases ON es_event; DROP FUNCTION refuse_leases()');

  it('[RUN-052] [RUN-054] keep a run whose job failed for good, which ops list, look at and requeue', async () => {
    await breakWorkers();
    const { runId } = (await agent()('POST', 'agent/goals', { title: 'Later', agentName: 'robot', execution: 'async', task: { skillName: 'note', arguments: { word: 'dead' } } })).body.data;
    const letter = await found(runId);
    expect(letter).toMatchObject({ queue: 'agent-runs', jobId: runId, attempts: 3, error: expect.stringMatching(/\w/), payload: { runId } });
    const dead = await status(runId, 'failed');
    expect([dead.stopReason, (await eventsOf(runId)).map(({ type }) => type as string)]).toEqual(['dead_lettered', ['RunQueued', 'EnvelopeSealed', 'RunDeadLettered', 'RunFailed']]);
    expect((await server().admin('GET', `ops/dead-letters/${letter.id}`)).body.data).toEqual(letter);
    await mendWorkers();
    const before = await eventsOf(runId);
    const answers = await Promise.all([1, 2].map(() => server().admin('POST', `ops/dead-letters/${letter.id}/requeue`)));
    const [first] = answers.filter(({ status }) => status === 200);
    expect(first!.body.data).toEqual({ id: letter.id, queue: 'agent-runs', jobId: runId, runId: expect.any(String) });
    expect(new Set(answers.filter(({ status }) => status === 200).map(({ body }) => body.data.runId as string)).size).toBe(1);
    const again = await status(first!.body.data.runId as string, 'succeeded');
    expect(again.envelope).toMatchObject({ retryOf: runId, principalId: agent().id });
    expect(ran.filter((word) => word === 'dead')).toHaveLength(1);
    expect(await eventsOf(runId)).toEqual(before);
    expect((await server().admin('GET', `ops/dead-letters/${letter.id}`)).status).toBe(403);
    expect((await server().admin('POST', `ops/dead-letters/${letter.id}/requeue`)).status).toBe(403);
  });

  it('[RUN-054] come page by page, oldest first, and go when somebody discards them', async () => {
    const ids = [];
    for (let nr = 0; nr < 5; nr++) ids.push(await putLetter(server().pool, { siteId: 'site_demo', nr }, { jobId: `job-${nr}` }));
    const pages = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const { data, nextCursor }: Body = await letters(`?limit=2${cursor && `&cursor=${cursor}`}`);
      pages.push((data as Body[]).map(({ id }) => id as string));
      cursor = nextCursor as string | null;
    }
    expect(pages).toEqual([ids.slice(0, 2), ids.slice(2, 4), ids.slice(4)]);
    expect((await server().admin('DELETE', `ops/dead-letters/${ids[0]!}`)).body.data).toEqual({ id: ids[0] });
    expect((await server().admin('DELETE', `ops/dead-letters/${ids[0]!}`)).status).toBe(403);
    expect((await letters()).data).toHaveLength(4);
    expect((await letters('?cursor=x')).code).toBe('VALIDATION_FAILED');
  });

  it('[CLI-010] are listed, shown and requeued from the command line', async () => {
    const id = await putLetter(server().pool, { siteId: 'site_demo', nr: 9 }, { jobId: 'job-cli' });
    const harness = async (...args: string[]) => {
      const { code, out } = await runHarness(['dead-letters', ...args, '--json'], { env: { HARNESS_URL: server().url, HARNESS_KEY: ADMIN_KEY } });
      return [code, JSON.parse(out) as Body] as const;
    };
    expect(await harness('list')).toEqual([0, expect.arrayContaining([expect.objectContaining({ id, jobId: 'job-cli', error: 'It broke' })])]);
    expect(await harness('show', id)).toMatchObject([0, { id, queue: 'agent-veto-commits', attempts: 3, payload: { nr: 9 } }]);
    expect(await harness('requeue', id)).toEqual([0, { id, queue: 'agent-veto-commits', jobId: 'job-cli', runId: null }]);
    expect(await harness('show', id)).toMatchObject([1, { error: { code: 'FORBIDDEN' } }]);
  });

  it('are shown to operators of their own site only', async () => {
    const other = await putLetter(server().pool, { siteId: 'site_other' });
    const platform = await putLetter(server().pool, { nightly: true });
    const reader = await server().newKey({ capabilities: ['ops:read'] });
    expect((await (await server().newKey({ capabilities: [] }))('GET', 'ops/dead-letters')).status).toBe(403);
    const seen = ((await reader('GET', 'ops/dead-letters?limit=200')).body.data as Body[]).map(({ id }) => id as string);
    expect(seen).not.toContain(other);
    expect(seen).not.toContain(platform);
    expect((await reader('GET', `ops/dead-letters/${other}`)).status).toBe(403);
    expect((await reader('POST', `ops/dead-letters/${other}/requeue`)).body.detail).toContain('ops:write');
  });
});
