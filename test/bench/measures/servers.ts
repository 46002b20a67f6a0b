import { setTimeout as sleep } from 'node:timers/promises';
import { join } from 'node:path';
import { startOwn, type Bench } from '../bench.ts';
import type { Connection } from '../cluster.ts';
import type { ContestantProcess } from '../contestant-process.ts';
import { familyCpuSeconds } from '../cpu.ts';
import { HttpClient } from '../http-client.ts';
import { ADMIN_KEY, TOOLS, type Site } from '../protocol.ts';
import type { Round } from './contestants.ts';

export type RunningServer = {
  readonly connection: Connection;
  readonly process: ContestantProcess;
  readonly site: Site;
  close(): Promise<void>;
};

export type ServerOptions = {
  readonly roles?: string;
  /** From an earlier start on the same database. */
  readonly known?: Site;
};

/** Our server on a database, with an agent, a reviewer and a tool that needs an approval. */
export const startServer = async (
  bench: Bench,
  connection: Connection,
  { roles = 'gateway,worker', known }: ServerOptions = {},
): Promise<RunningServer> => {
  const env = { HARNESS_ROLES: roles, BENCH_FOLDER: join(bench.folder, connection.database) };
  const server = await running(connection, startOwn(bench, 'server', connection, { env }));
  try {
    return { ...server, site: known ? { ...known, url: server.site.url } : await furnish(server.site.url) };
  } catch (error) {
    await server.close();
    throw error;
  }
};

export const startBareServer = (bench: Bench, connection: Connection): Promise<RunningServer> =>
  running(connection, startOwn(bench, 'bare-server', connection));

const running = async (connection: Connection, starting: Promise<ContestantProcess>): Promise<RunningServer> => {
  const process = await starting;
  const url = await process.call<string>('url');
  const close = async () => {
    await process.call('stop');
    await process.close();
  };
  return { connection, process, site: { url, agentKey: '', reviewerKey: '' }, close };
};

const furnish = async (url: string): Promise<Site> => {
  const client = new HttpClient(url);
  try {
    const keyOf = async (body: object) => (await client.send('POST', '/api/v1/api-keys', ADMIN_KEY, body)).data['key'] as string;
    const agentKey = await keyOf({ name: 'agent', kind: 'agent', capabilities: ['items:update'] });
    const reviewerKey = await keyOf({ name: 'reviewer', kind: 'human', capabilities: ['approvals:decide', 'audit:read'] });
    await client.send('PUT', `/api/v1/agent/tools/${TOOLS.dangerous}`, ADMIN_KEY, { dangerous: true });
    return { url, agentKey, reviewerKey };
  } finally {
    await client.close();
  }
};

/** Adds how many cores the server and PostgreSQL kept busy, the warm-up included, and what one call cost everybody together. */
export const withServerCpu = async ({ cluster }: Bench, { pid }: ContestantProcess, work: () => Promise<Round>): Promise<Round> => {
  const used = () => ({ server: familyCpuSeconds(String(pid)), postgres: cluster.cpuSeconds(), at: performance.now() / 1000 });
  const before = used();
  const round = await work();
  const after = used();
  const seconds = after.at - before.at;
  const serverCores = (after.server - before.server) / seconds;
  const postgresCores = (after.postgres - before.postgres) / seconds;
  return {
    ...round,
    serverCores,
    postgresCores,
    cpuMicros: (((round['clientCores'] ?? 0) + serverCores + postgresCores) / round.perSecond) * 1e6,
  };
};

/** The same for a contestant that is its own client: what it and its children use is the server's. */
export const withFamilyCpu = (bench: Bench, contestant: ContestantProcess, work: () => Promise<Round>): Promise<Round> =>
  withServerCpu(bench, contestant, async () => {
    const { clientCores: _own, ...round } = await work();
    return { ...round, clientCores: 0 } as Round;
  });

/** Rounds of closed clients, as every measure of calls takes them. */
export const callRounds = async (
  bench: Bench,
  client: ContestantProcess,
  { process, site }: RunningServer,
  clients: number,
  bare = false,
) => {
  const { warmupMs, roundMs } = bench.options;
  await client.call('prepare', { site, bare, clients });
  return () => withServerCpu(bench, process, () => client.call<Round>('calls', { site, bare, load: { clients, warmupMs, roundMs } }));
};

const POLL_MS = 5;
/** Longer than any catching up of a log that is measured. */
const READY_MS = 600_000;

/** Until the log takes writes and every read model has caught up. */
export const untilReady = async (url: string): Promise<void> => {
  const end = performance.now() + READY_MS;
  while (!(await fetch(`${url}/health/ready`)).ok) {
    if (performance.now() > end) throw new Error(`${url} did not become ready`);
    await sleep(POLL_MS);
  }
};

const REST_MS = 500;
const AT_REST_CORES = 0.1;
const REST_LIMIT_MS = 120_000;

/** Ready, and with nothing left to do: what it learns of a log in the background must not be measured. Where there is no /proc it is only ready. */
export const untilAtRest = async ({ site, process: { pid } }: RunningServer): Promise<void> => {
  await untilReady(site.url);
  const end = performance.now() + REST_LIMIT_MS;
  for (let before = familyCpuSeconds(String(pid)); performance.now() < end;) {
    await sleep(REST_MS);
    const now = familyCpuSeconds(String(pid));
    if (!(now - before > (AT_REST_CORES * REST_MS) / 1000)) return;
    before = now;
  }
};
