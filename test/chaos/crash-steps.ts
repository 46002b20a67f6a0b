import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Pool } from 'pg';
import { readConfig } from '../../apps/gateway/src/config';
import { startServer, type Server } from '../../apps/gateway/src/server';
import type { TestDatabase } from '../database';
import { CountingServer } from '../e2e/counting-server';
import { until } from '../e2e/machine';
import { Processes, urlOf } from '../e2e/processes';
import { ADMIN_KEY, apiAt, type Body } from '../e2e/server';
import { Line, type Hold } from './line';

type Where = { readonly between: readonly [string, string]; readonly victim: 'gateway' | 'worker'; readonly hold: (runId: string) => Hold | 'the tool' };
type Expected = { readonly status: string; readonly call?: string; readonly received: number };
export type Step = Where & { readonly tool: 'send' | 'put'; readonly expected: Expected };
export type Stepped = { readonly step: string; readonly tool: string; readonly killed: string; readonly found: Expected; readonly expected: Expected };

const QUEUE = 'agent-runs';
const MASTER_KEY = 'ab'.repeat(32);
const SETTLE_MS = 90_000;
const DONE: Expected = { status: 'succeeded', call: 'executed', received: 1 };
const doubtful = (received: number): Expected => ({ status: 'awaiting_approval', call: 'indeterminate', received });

const events = (when: Hold['when'], type: string) => (runId: string): Hold => ({ when, mark: [type, ...(runId ? [runId] : [])] });
const statement = (when: Hold['when'], ...mark: string[]) => (): Hold => ({ when, mark });
const where = (from: string, to: string, victim: Where['victim'], hold: Where['hold']): Where => ({ between: [from, to], victim, hold });

const asked = where('asked', 'queued', 'gateway', events('before', 'RunQueued'));
const queued = where('queued', 'job stored', 'gateway', events('after', 'RunQueued'));
const stored = where('job stored', 'job claimed', 'gateway', statement('after', 'INSERT INTO pgboss.', QUEUE));
const claimed = where('job claimed', 'started', 'worker', statement('after', 'SKIP LOCKED', QUEUE));
const started = where('started', 'authorised', 'worker', events('after', 'RunStarted'));
const authorised = where('authorised', 'sent', 'worker', events('after', 'ToolCallAuthorised'));
const sent = where('sent', 'answered', 'worker', () => 'the tool');
const answered = where('answered', 'recorded', 'worker', events('before', 'ToolCallSucceeded'));
const recorded = where('recorded', 'job completed', 'worker', events('after', 'ToolCallSucceeded'));
const completed = where('job completed', 'the end', 'worker', statement('after', 'completed_on = pgboss.job_now()', 'output = $3::jsonb', QUEUE));

/** What may be made again is; what may have happened once and must not twice waits for a person; what never began is carried out. */
export const STEPS: readonly Step[] = [
  { ...asked, tool: 'send', expected: { status: 'none', received: 0 } },
  ...[queued, stored, claimed, started].map((each) => ({ ...each, tool: 'send' as const, expected: DONE })),
  { ...authorised, tool: 'send', expected: doubtful(0) },
  { ...sent, tool: 'send', expected: doubtful(1) },
  { ...answered, tool: 'send', expected: doubtful(1) },
  ...[recorded, completed].map((each) => ({ ...each, tool: 'send' as const, expected: DONE })),
  { ...authorised, tool: 'put', expected: DONE },
  { ...sent, tool: 'put', expected: { ...DONE, received: 2 } },
  { ...answered, tool: 'put', expected: { ...DONE, received: 2 } },
];

/**
 * Kills a process exactly between two steps of a queued call: its line to the database falls silent at the statement that ends the first
 * one, or just before the statement that ends the second. Then another worker comes, and what became of run and call is looked at.
 */
export const crashAt = async ({ between, victim, hold, tool, expected }: Step, newDatabase: () => Promise<TestDatabase>): Promise<Stepped> => {
  const processes = new Processes();
  const [database, outside, dataDir] = [await newDatabase(), await CountingServer.start(), await mkdtemp(join(tmpdir(), 'harness-steps-'))];
  const environment = { DATABASE_URL: urlOf(database), HARNESS_DATA_DIR: dataDir, HARNESS_BOOTSTRAP_KEY: ADMIN_KEY, HARNESS_MASTER_KEY: MASTER_KEY, LOG_LEVEL: 'fatal', PORT: '0', HARNESS_HEARTBEAT_EXPIRES_MS: '4000' };
  const line = await Line.to(database);
  const pool = new Pool({ ...database, max: 1 });
  pool.on('error', () => undefined);
  const servers: Server[] = [];
  const start = async (role: string) => {
    servers.push(await startServer(readConfig({ ...environment, HARNESS_ROLES: role })));
    return servers.at(-1)!;
  };
  try {
    const admin = apiAt((await start('gateway')).url!)(ADMIN_KEY);
    await admin('PUT', 'settings', { outbound: { allowHosts: [outside.host] } });
    const { status, text } = await admin('PUT', `agent/tools/${tool}`, {
      kind: 'http', description: 'Counts', inputSchema: { type: 'object' }, requiredCapabilities: ['items:update'], risk: 'write', irreversible: false, idempotent: tool === 'put', timeoutMs: 60_000, http: { url: `${outside.url}/${tool}` },
    });
    if (status !== 200) throw new Error(text);
    const goal = { title: 'Later', agentName: 'robot', execution: 'async', task: { skillName: tool, arguments: {} } };
    const victimAt = () => processes.start({ ...environment, LOG_LEVEL: 'log', DATABASE_URL: line.url(database), HARNESS_ROLES: victim });
    const runsInLog = async () => (await pool.query<{ id: string }>(`SELECT substr(stream_id, 5) AS id FROM es_event WHERE type = 'RunQueued'`)).rows.map(({ id }) => id);
    let release: () => void = () => undefined;
    if (victim === 'gateway') {
      const killed = await victimAt();
      const reached = line.holdAt(hold('') as Hold);
      const lost = apiAt(killed.url)(ADMIN_KEY)('POST', 'agent/goals', goal).catch(() => undefined);
      await reached;
      await killed.kill();
      line.cut();
      await lost;
    } else {
      const { runId } = (await admin('POST', 'agent/goals', goal)).body.data as { runId: string };
      const at = hold(runId);
      if (at === 'the tool') release = outside.hold();
      const reached = at === 'the tool' ? outside.until(1) : line.holdAt(at);
      const killed = await victimAt();
      await reached;
      await killed.kill();
      line.cut();
      release();
    }
    const [runId] = await runsInLog();
    await start('worker');
    if (runId === undefined) return { step: between.join(' | '), tool, killed: victim, expected, found: { status: 'none', received: outside.received.length } };
    const look = async (): Promise<Expected> => {
      const { data } = (await admin('GET', `agent/runs/${runId}`)).body as { data: Body };
      const [call] = data.toolCalls as Body[];
      return { status: data.status as string, ...(call && { call: call.status as string }), received: outside.received.length };
    };
    const found = await until(async () => {
      const now = await look();
      return now.status === expected.status && now.call === expected.call ? now : undefined;
    }, () => `${between.join(' | ')} of ${tool} to become ${JSON.stringify(expected)}`, SETTLE_MS).catch(look);
    return { step: between.join(' | '), tool, killed: victim, expected, found };
  } finally {
    await processes.cleanUp();
    for (const server of servers.reverse()) await server.stop();
    await line.close();
    await pool.end();
    await database.drop();
    await outside.close();
    await rm(dataDir, { recursive: true, force: true });
  }
};

/** All steps, so many at a time: most of the time is spent waiting for heartbeats to be missed. */
export const crashAtAll = async (newDatabase: () => Promise<TestDatabase>, atATime: number, steps: readonly Step[] = STEPS): Promise<readonly Stepped[]> => {
  const found: Stepped[] = [];
  const left = [...steps.entries()];
  await Promise.all(Array.from({ length: atATime }, async () => {
    for (let next = left.shift(); next; next = left.shift()) found[next[0]] = await crashAt(next[1], newDatabase);
  }));
  return found;
};
