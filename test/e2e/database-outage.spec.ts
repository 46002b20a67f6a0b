import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { startPostgres, type EmbeddedPostgres } from '@app/database';
import { processesIn, signalTo, until } from './machine';
import { Processes, urlOf } from './processes';
import { ADMIN_KEY, apiAt, sentEvents, type Answer, type Api, type Body } from './server';

const WITHIN_MS = 30_000;

const verdictAt = async (url: string): Promise<Body> => {
  const answer = await fetch(`${url}/api/v1/audit/verify`, { headers: { authorization: `Bearer ${ADMIN_KEY}` } });
  for await (const { event, data } of sentEvents(answer)) if (event === 'verdict') return data;
};
const untilStatus = (api: Api, path: string, status: number): Promise<Answer> =>
  until(
    async () => {
      const answer = await api('GET', path);
      return answer.status === status ? answer : undefined;
    },
    () => `${status} of ${path}`, WITHIN_MS,
  );

describe('A server whose database goes away', () => {
  const processes = new Processes();
  const dataDir = mkdtempSync(join(tmpdir(), 'harness-outage-'));
  let postgres: EmbeddedPostgres;
  let environment: Record<string, string>;
  const startDatabase = async () => {
    postgres = await startPostgres({ dataDir, disposable: true });
  };
  const query = async (sql: string, database = 'outage'): Promise<Body[]> => {
    const client = new Client({ host: postgres.host, port: postgres.port, user: postgres.user, database });
    await client.connect();
    try {
      return (await client.query<Body>(sql)).rows;
    } finally {
      await client.end();
    }
  };
  beforeAll(async () => {
    await startDatabase();
    await query('CREATE DATABASE outage', 'postgres');
    environment = { DATABASE_URL: urlOf({ ...postgres, database: 'outage' }), HARNESS_BOOTSTRAP_KEY: ADMIN_KEY, HARNESS_MASTER_KEY: 'ab'.repeat(32) };
  });
  afterEach(() => processes.cleanUp());
  afterAll(async () => {
    await postgres.stop();
    rmSync(dataDir, { recursive: true, force: true });
  });

  it('[API-033] [API-034] is alive and answers writes with 503 meanwhile, recovers by itself when the database is back, and has stored each write wholly or not at all', async () => {
    const server = await processes.start(environment);
    const api = apiAt(server.url)(ADMIN_KEY);
    const answers: Answer[] = [];
    let writing = true;
    const writers = Promise.all(Array.from({ length: 4 }, async () => {
      while (writing) answers.push(await api('POST', 'agent/goals', { title: 'Through the outage', agentName: 'robot' }));
    }));
    await until(() => answers.length >= 10, () => 'writes', WITHIN_MS);

    await postgres.stop();
    expect((await untilStatus(api, 'items/products', 503)).body).toMatchObject({ code: 'UNAVAILABLE' });
    expect((await api('GET', '/health/live')).status).toBe(200);
    expect((await untilStatus(api, '/health/ready', 503)).body.reasons).toEqual(['the database does not answer']);
    await until(() => answers.some(({ status }) => status === 503), () => 'a refused write', WITHIN_MS);

    await startDatabase();
    await untilStatus(api, '/health/ready', 200);
    const told = answers.length;
    await until(() => answers.slice(told).filter(({ status }) => status === 201).length >= 4, () => 'writes after the outage', WITHIN_MS);
    writing = false;
    await writers;
    expect((await api('GET', 'items/products')).status).toBe(200);

    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201, 503]));
    for (const { body, headers } of answers.filter(({ status }) => status === 503)) expect([body.code, headers.get('retry-after')]).toEqual(['UNAVAILABLE', '1']);
    const perGoal = await query(`
      SELECT g.data::jsonb ->> 'goalId' AS id, count(DISTINCT e.type)::int AS facts
      FROM es_event g JOIN es_event e ON e.batch = g.batch AND e.data::jsonb ->> 'goalId' = g.data::jsonb ->> 'goalId'
      WHERE g.type = 'GoalCreated' GROUP BY 1`);
    expect(new Set(perGoal.map(({ facts }: Body) => facts as number)).size).toBe(1);
    expect(perGoal.map(({ id }) => id as string)).toEqual(expect.arrayContaining(answers.filter(({ status }) => status === 201).map(({ body }) => body.data.goalId as string)));
    expect(await verdictAt(server.url)).toMatchObject({ ok: true });
  });

  it('stops within seconds while the database is away', async () => {
    const server = await processes.start(environment);
    await postgres.stop();
    const from = performance.now();
    expect(await server.stop()).toEqual({ code: 0, signal: null });
    expect(performance.now() - from).toBeLessThan(15_000);
    await startDatabase();
  });

  it('starts its own one again when that was killed', async () => {
    const folder = processes.directory();
    const server = await processes.start({ HARNESS_BOOTSTRAP_KEY: ADMIN_KEY }, folder);
    const api = apiAt(server.url)(ADMIN_KEY);
    const made = await api('POST', 'items/products', { data: { sku: 'O-1', title: 'Before' } });
    for (const pid of processesIn(join(folder, '.harness/postgres/cluster'))) signalTo(pid, 'SIGKILL');
    await server.untilPrinted(/The database in \S+ has ended\. Starting it again\./);
    await server.untilPrinted(/The database in \S+ runs again\./);
    await untilStatus(api, '/health/ready', 200);
    expect((await api('GET', `items/products/${made.body.data.id}`)).body.data.data.title).toBe('Before');
    expect((await api('POST', 'items/products', { data: { sku: 'O-2', title: 'After' } })).status).toBe(201);
    expect(await verdictAt(server.url)).toMatchObject({ ok: true });
    expect(await server.stop()).toEqual({ code: 0, signal: null });
    expect(processesIn(join(folder, '.harness/postgres/cluster'))).toEqual([]);
  });
});
