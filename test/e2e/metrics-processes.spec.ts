import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { serverDatabase, type TestDatabase } from '../database';
import { eventually } from './eventually';
import { Processes, urlOf, type ReadyProcess } from './processes';
import { scrape } from './scraped';
import { ADMIN_KEY, apiAt, type Api, type Body } from './server';

const TOKEN = 'token-of-the-scraper';
const RUNS = 'lumibase_agent_runs_total';

/** What `sum(metric)` says over these targets; one that does not answer has no series. */
const sumOf = async (metric: string, urls: readonly string[]): Promise<number> => {
  const scrapes = await Promise.all(urls.map((url) => scrape(url, { authorization: `Bearer ${TOKEN}` }).catch(() => undefined)));
  return scrapes.flatMap((each) => Object.values(each?.of(metric) ?? {})).reduce((sum, value) => sum + value, 0);
};

describe('Metrics of several processes on one database', () => {
  const processes = new Processes();
  let database: TestDatabase;
  let environment: Record<string, string>;
  let one: ReadyProcess;
  let other: ReadyProcess;
  let agents: Api[];

  beforeAll(async () => {
    database = await serverDatabase();
    environment = { DATABASE_URL: urlOf(database), HARNESS_BOOTSTRAP_KEY: ADMIN_KEY, HARNESS_MASTER_KEY: 'ab'.repeat(32), HARNESS_METRICS_TOKEN: TOKEN, LOG_LEVEL: 'warn' };
    one = await processes.start(environment);
    other = await processes.start(environment);
    const { key } = (await apiAt(one.url)(ADMIN_KEY)('POST', 'api-keys', { name: 'robot', kind: 'agent', capabilities: ['items:read', 'items:write'] })).body.data as { key: string };
    agents = [one, other].map(({ url }) => apiAt(url)(key));
  });
  afterAll(async () => {
    await processes.cleanUp();
    await database.drop();
  });

  const endedRuns = (api: Api, count: number) =>
    Promise.all(Array.from({ length: count }, async () => {
      const { runId } = (await api('POST', 'agent/goals', { title: 'Count me', agentName: 'robot' })).body.data as { runId: string };
      expect((await api('POST', `agent/runs/${runId}/complete`, {})).status).toBe(200);
    }));
  const urls = () => [one.url, other.url];

  it('[OBS-030] are summed correctly: what each did counts once, and none is lost when a process is killed or restarted', async () => {
    await Promise.all([endedRuns(agents[0]!, 12), endedRuns(agents[1]!, 7)]);
    expect(await eventually(() => sumOf(RUNS, urls()), (sum) => sum >= 19)).toBe(19);
    for (let n = 0; n < 5; n++) expect(await sumOf(RUNS, urls())).toBe(19);

    // What a process counts of itself: every event of the log was committed by one of the two.
    const client = new Client(database);
    await client.connect();
    const events = (await client.query<{ n: number }>('SELECT count(*)::int AS n FROM es_event')).rows[0]!.n;
    await client.end();
    expect(await sumOf('harness_append_batch_events_sum', urls())).toBe(events);

    const exporting = (await sumOf(RUNS, [one.url])) > 0 ? one : other;
    const surviving = exporting === one ? other : one;
    await endedRuns(agents[exporting === one ? 0 : 1]!, 3);
    await exporting.kill();
    const rest = agents[exporting === one ? 1 : 0]!;
    await endedRuns(rest, 4);
    expect(await eventually(() => sumOf(RUNS, [surviving.url]), (sum) => sum >= 26, 60_000)).toBe(26);

    const again = await processes.start(environment);
    await endedRuns(apiAt(again.url)(rest.key), 2);
    expect(await eventually(() => sumOf(RUNS, [surviving.url, again.url]), (sum) => sum >= 28)).toBe(28);
    await surviving.stop();
    expect(await eventually(() => sumOf(RUNS, [again.url]), (sum) => sum >= 28)).toBe(28);
    one = again;
  }, 120_000);

  it('[OBS-026] count decisions that had to be taken again because another process moved the governance', async () => {
    other = await processes.start(environment);
    const [first, second] = [one, other].map(({ url }) => apiAt(url)(ADMIN_KEY)) as [Api, Api];
    const { runId } = (await first('POST', 'agent/goals', { title: 'Decide again', agentName: 'robot' })).body.data as { runId: string };
    const call = async () => (await first('POST', `agent/runs/${runId}/tool-calls`, { tool: 'listItems', arguments: { collection: 'products' } })).body.data as Body;
    await call();
    const retries = async () => (await scrape(one.url, { authorization: `Bearer ${TOKEN}` })).value('harness_guard_retries_total')!;
    const before = await retries();
    await call();
    expect(await retries()).toBe(before);
    expect((await second('PUT', 'settings', { vetoWindowMs: 3_600_000 })).status).toBe(200);
    await call();
    expect(await retries()).toBe(before + 1);
  });

  it('[OBS-019] show the jobs that wait in each queue', async () => {
    const bare = await serverDatabase();
    const alone = { ...environment, DATABASE_URL: urlOf(bare) };
    const gateway = await processes.start({ ...alone, HARNESS_ROLES: 'gateway' });
    const admin = apiAt(gateway.url)(ADMIN_KEY);
    const depth = async () => (await scrape(gateway.url, { authorization: `Bearer ${TOKEN}` })).value('lumibase_queue_depth{queue="agent-runs"}');
    expect(await eventually(depth, (waiting) => waiting === 0)).toBe(0);
    for (let n = 0; n < 3; n++) {
      const task = { skillName: 'listItems', arguments: { collection: 'products' } };
      expect((await admin('POST', 'agent/goals', { title: 'Later', agentName: 'robot', execution: 'async', task })).status).toBe(202);
    }
    expect(await eventually(depth, (waiting) => waiting === 3)).toBe(3);
    const worker = await processes.start({ ...alone, HARNESS_ROLES: 'gateway,worker' });
    expect(await eventually(depth, (waiting) => waiting === 0)).toBe(0);
    await worker.stop();
    await gateway.stop();
    await bare.drop();
  });

  it('are served on a port of their own by a process without the API, and only with the token', async () => {
    const worker = await processes.start({ ...environment, HARNESS_ROLES: 'worker', HARNESS_METRICS_PORT: '0', LOG_LEVEL: 'log' });
    const [, port] = await worker.untilPrinted(/Metrics at http:\/\/127\.0\.0\.1:(\d+)/);
    const url = `http://127.0.0.1:${port}`;
    expect((await scrape(url, { authorization: `Bearer ${TOKEN}` })).value('process_resident_memory_bytes')).toBeGreaterThan(1e6);
    expect([await fetch(`${url}/metrics`), await fetch(`${url}/health/live`), await fetch(`${url}/anything`)].map(({ status }) => status)).toEqual([401, 200, 404]);
    expect(await sumOf(RUNS, [one.url, other.url, url])).toBe(28);
    expect(await worker.stop()).toEqual({ code: 0, signal: null });
  });
});
