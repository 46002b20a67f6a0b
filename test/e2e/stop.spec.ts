import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { connect } from 'node:net';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Pool } from 'pg';
import { serverDatabase, type TestDatabase } from '../database';
import { childrenOf, processesIn, signalTo, until } from './machine';
import { Processes, urlOf } from './processes';
import { ADMIN_KEY, apiAt, sentEvents } from './server';

const CLEAN = { code: 0, signal: null };
/** Within seconds on an idle machine; the suites share two cores. */
const SECONDS = 15_000;

describe('A server that is told to stop', () => {
  const processes = new Processes();
  let database: TestDatabase;
  let pool: Pool;
  let environment: Record<string, string>;
  beforeAll(async () => {
    database = await serverDatabase();
    pool = new Pool({ ...database, max: 2 });
    pool.on('error', () => undefined);
    environment = { DATABASE_URL: urlOf(database), HARNESS_BOOTSTRAP_KEY: ADMIN_KEY, HARNESS_MASTER_KEY: 'ab'.repeat(32) };
  });
  const leftOvers: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const undo of leftOvers.splice(0)) await undo();
    await processes.cleanUp();
  });
  afterAll(async () => {
    await pool.end();
    await database.drop();
  });

  /** The log takes no event until it is released; readers go on. */
  const heldWrites = async () => {
    const holder = await pool.connect();
    await holder.query('BEGIN; LOCK TABLE es_event IN EXCLUSIVE MODE');
    let held = true;
    const release = async () => {
      if (held) await holder.query('COMMIT');
      if (held) holder.release();
      held = false;
    };
    leftOvers.push(release);
    return { release };
  };

  it('finishes the request in flight, ends open streams, and is not hurried by a second signal', async () => {
    const server = await processes.start(environment);
    const api = apiAt(server.url)(ADMIN_KEY);
    const stream = sentEvents(await fetch(`${server.url}/api/v1/audit/stream?after=0`, { headers: { authorization: `Bearer ${ADMIN_KEY}` } }));
    expect((await stream.next()).done).toBe(false);

    const { release } = await heldWrites();
    const running = api('POST', 'items/products', { data: { sku: 'L-1', title: 'Late' } });
    const waiting = `SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%es_append(%' AND datname = current_database()`;
    await until(async () => (await pool.query(waiting)).rowCount, () => 'the request in the database', SECONDS);

    const signalled = performance.now();
    server.signal('SIGTERM');
    await server.untilPrinted(/SIGTERM: stopping/);
    server.signal('SIGTERM');
    server.signal('SIGINT');
    while (!(await stream.next()).done);
    await release();

    const { status, body } = await running;
    expect(status).toBe(201);
    expect(await server.exited).toEqual(CLEAN);
    expect(performance.now() - signalled).toBeLessThan(SECONDS);
    expect((await pool.query('SELECT 1 FROM es_event WHERE position = $1', [body.position])).rowCount).toBe(1);
    expect(server.output().match(/stopping/g)).toHaveLength(1);
  });

  it('takes no new connection', async () => {
    const server = await processes.start(environment);
    expect(await server.stop()).toEqual(CLEAN);
    const { port } = new URL(server.url);
    const refused = new Promise((settle) => connect(Number(port), '127.0.0.1').once('error', (error: NodeJS.ErrnoException) => settle(error.code)));
    expect(await refused).toBe('ECONNREFUSED');
  });

  it.each(['SIGTERM', 'SIGINT'] as const)('while it starts ends with its database at %s', async (signal) => {
    const folder = processes.directory();
    const cluster = join(folder, '.harness/postgres/cluster');
    const server = await processes.launch({ PORT: '0' }, folder);
    await until(() => processesIn(cluster).length, () => 'a database', 30_000);
    server.signal(signal);
    server.signal(signal);
    expect(await server.exited).toEqual(CLEAN);
    expect(processesIn(cluster)).toEqual([]);
    expect(readFileSync(join(folder, '.harness/postgres/postgres.log'), 'utf8')).toContain('database system is shut down');
  });

  it('ends with its database although every Ctrl-C of a terminal also reaches the programs that it runs', async () => {
    const folder = processes.directory();
    const server = await processes.start({}, folder);
    let ended = false;
    void server.exited.then(() => (ended = true));
    let interrupted = 0;
    await until(
      () => {
        server.signal('SIGINT');
        const [pgCtl] = interrupted < 3 ? childrenOf(server.pid) : [];
        if (pgCtl !== undefined && signalTo(pgCtl, 'SIGINT')) interrupted++;
        return ended;
      },
      () => 'the end of the server', 20_000,
    );
    expect(interrupted).toBeGreaterThan(0);
    expect(await server.exited).toEqual(CLEAN);
    expect(processesIn(join(folder, '.harness/postgres/cluster'))).toEqual([]);
  });
});
