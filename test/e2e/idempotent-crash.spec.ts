import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Pool } from 'pg';
import { Line } from '../chaos/line';
import { serverDatabase, type TestDatabase } from '../database';
import { Processes, urlOf } from './processes';
import { ADMIN_KEY, apiAt, type Api, type Body } from './server';

const ENVIRONMENT = { HARNESS_BOOTSTRAP_KEY: ADMIN_KEY, HARNESS_MASTER_KEY: 'ab'.repeat(32), HARNESS_ROLES: 'gateway', LOG_LEVEL: 'error' };
const item = (title: string): [string, Body] => ['items/products', { data: { sku: 'K-1', title } }];
const goal = (title: string): [string, Body] => ['agent/goals', { title, agentName: 'robot' }];

describe('A request whose process died between effect and answer', () => {
  const processes = new Processes();
  let database: TestDatabase;
  let pool: Pool;
  let other: Api;
  beforeAll(async () => {
    database = await serverDatabase();
    pool = new Pool({ ...database, max: 1 });
    pool.on('error', () => undefined);
    other = apiAt((await processes.start({ ...ENVIRONMENT, DATABASE_URL: urlOf(database) })).url)(ADMIN_KEY);
  });
  afterAll(async () => {
    await processes.cleanUp();
    await pool.end();
    await database.drop();
  });

  it.each([
    ['an item, when it is in the log', item, 'ItemCreated', (mark: string) => ['ItemCreated', mark]],
    ['a goal, when it is in the log', goal, 'GoalCreated', (mark: string) => ['GoalCreated', mark]],
    ['an item, when the answer is stored', item, 'ItemCreated', () => ['UPDATE http_idempotency SET status']],
  ] as const)('[API-016] is answered when it comes again, and has one effect: %s', async (name, request, effect, marks) => {
    const mark = `crash ${name}`;
    const [path, body] = request(mark);
    const line = await Line.to(database);
    const victim = await processes.start({ ...ENVIRONMENT, DATABASE_URL: line.url(database) });
    const reached = line.holdAt({ when: 'after', mark: marks(mark) });
    const lost = apiAt(victim.url)(ADMIN_KEY)('POST', path, body, { 'idempotency-key': mark }).catch(() => 'no answer');
    await reached;
    await victim.kill();
    expect(await lost).toBe('no answer');
    await line.close();

    // Waits until the dead process's claim on the key has lapsed.
    const [first, ...more] = await Promise.all([1, 2, 3].map(() => other('POST', path, body, { 'idempotency-key': mark })));
    expect(first!.status).toBe(201);
    for (const each of [...more, await other('POST', path, body, { 'idempotency-key': mark })]) expect([each.status, each.text]).toEqual([first!.status, first!.text]);
    const { rows } = await pool.query<Body>('SELECT position FROM es_event WHERE type = $1 AND strpos(data, $2) > 0', [effect, mark]);
    expect(rows).toHaveLength(1);
  });
});
