import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Pool } from 'pg';
import { serverDatabase, type TestDatabase } from '../database';
import { judge, type LogRow } from './authorisations';
import { Processes, urlOf, type ReadyProcess } from './processes';
import { ADMIN_KEY, apiAt, type Api, type Body } from './server';

/** More rounds on request, as for the processes without HTTP. */
const ROUNDS = Number(process.env['HARNESS_FREEZE_HTTP_ROUNDS'] ?? 5);
const SERVERS = 4;
const RUNS_EACH = 2;
const WARM_CALLS = 3;
const REFUSALS_ENOUGH = 2;

describe(`${SERVERS} whole servers on one database`, () => {
  const processes = new Processes();
  let database: TestDatabase;
  let servers: readonly ReadyProcess[];
  let pool: Pool;
  let admins: readonly Api[];
  let agents: readonly Api[];
  let agentId: string;
  let item: Body;

  beforeAll(async () => {
    database = await serverDatabase();
    const environment = { DATABASE_URL: urlOf(database), HARNESS_BOOTSTRAP_KEY: ADMIN_KEY, HARNESS_MASTER_KEY: 'ab'.repeat(32) };
    const first = await processes.start(environment);
    servers = [first, ...(await Promise.all(Array.from({ length: SERVERS - 1 }, () => processes.start({ ...environment, HARNESS_ROLES: 'gateway' }))))];
    admins = servers.map(({ url }) => apiAt(url)(ADMIN_KEY));
    const { id, key } = (await admins[0]!('POST', 'api-keys', { name: 'hammer', kind: 'agent', capabilities: ['items:read'] })).body.data;
    agentId = id as string;
    agents = servers.map(({ url }) => apiAt(url)(key as string));
    item = { collection: 'products', id: (await admins[0]!('POST', 'items/products', { data: { sku: 'H-1', title: 'Hammered' } })).body.data.id };
    pool = new Pool({ ...database, max: 1 });
    pool.on('error', () => undefined);
  });
  afterAll(async () => {
    await processes.cleanUp();
    await pool?.end();
    await database?.drop();
  });

  /** Calls until refused; `warm` is told once the run is at full speed. */
  const hammer = async (agent: Api, runId: string, warm: () => void) => {
    let executed = 0;
    for (let refusals = 0; refusals < REFUSALS_ENOUGH; ) {
      const { status, body } = await agent('POST', `agent/runs/${runId}/tool-calls`, { tool: 'getItem', arguments: item });
      if (body?.data?.status === 'executed') {
        if (++executed === WARM_CALLS) warm();
      } else if (status === 409 || body?.data?.status === 'denied') refusals++;
      else throw new Error(`${status} ${JSON.stringify(body)}`);
    }
    return executed;
  };

  it.each([
    ['role freeze', ['POST', 'agent/kill-switch', { scope: 'role', targetId: 'Writer' }], ['POST', 'agent/kill-switch/lift', { scope: 'role', targetId: 'Writer' }]],
    ['site freeze', ['POST', 'agent/kill-switch', { scope: 'site' }], ['POST', 'agent/kill-switch/lift', { scope: 'site' }]],
    ['capability revocation', ['PUT', 'api-keys/:agent', { capabilities: [] }], ['PUT', 'api-keys/:agent', { capabilities: ['items:read'] }]],
    ['tool disabling', ['PUT', 'agent/tools/getItem', { enabled: false }], ['PUT', 'agent/tools/getItem', { enabled: true }]],
  ] as const)('authorise no call after the position of a %s', async (what, change, back) => {
    let executed = 0;
    const order = ([method, path, body]: readonly [string, string, unknown], by: Api) => by(method, path.replace(':agent', agentId), body);
    for (let nr = 0; nr < ROUNDS; nr++) {
      const runs = await Promise.all(agents.flatMap((agent) => Array.from({ length: RUNS_EACH }, async () => ({ agent, opened: await agent('POST', 'agent/goals', { title: 'Hammer', agentName: 'hammer', agentRole: 'Writer', budget: { maxToolCalls: 1_000_000, timeoutMs: 600_000 } }) }))));
      const calling = runs.map(({ agent, opened }) => {
        const run: { ended?: Promise<number> } = {};
        const warm = new Promise<void>((settle) => (run.ended = hammer(agent, opened.body.data.runId as string, settle)));
        return { warm, ended: run.ended! };
      });
      await Promise.all(calling.map(({ warm }) => warm));
      const done = await order(change, admins[nr % SERVERS]!);
      expect(done.status).toBe(200);
      executed += (await Promise.all(calling.map(({ ended }) => ended))).reduce((sum, count) => sum + count, 0);
      expect((await order(back, admins[(nr + 1) % SERVERS]!)).status).toBe(200);
    }
    const { rows } = await pool.query<LogRow>('SELECT position::text, stream_id, type, data::jsonb AS data FROM es_event ORDER BY es_event.position');
    const { violations, authorised } = judge(rows, 'site_demo');
    process.stdout.write(`Over HTTP, ${what}: ${ROUNDS} rounds, ${executed} calls executed, ${violations.length} violations in ${authorised} authorisations of the log so far\n`);
    expect(violations).toEqual([]);
  });
});
