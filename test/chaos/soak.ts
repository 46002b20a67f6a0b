import { setTimeout as sleep } from 'node:timers/promises';
import { PgBossQueue } from '@app/queue';
import { judge } from '../e2e/authorisations';
import { CountingServer } from '../e2e/counting-server';
import { until } from '../e2e/machine';
import { ADMIN_KEY, apiAt, type Api, type Body } from '../e2e/server';
import { Broker } from './broker';
import { callsRanOnce, callsWithoutOutcome } from './call-checks';
import { startDatabase } from './database';
import { rowsAfter } from './event-row';
import { FAULTS, faultsOfRound, strike, type Fault, type World } from './faults';
import { Fleet } from './fleet';
import { Ledger } from './ledger';
import { Load } from './load';
import { LogWatch } from './log-watch';
import { randomOf } from './random';
import { endedOnce, statusesOf } from './run-checks';

export type SoakOptions = {
  readonly rounds: number;
  /** Ends after the round in which this time is over. */
  readonly seconds: number;
  readonly seed: number;
  readonly clients: number;
  readonly onRound?: (nr: number, line: string) => void;
};
export type Check = { readonly name: string; readonly violations: readonly string[] };
export type SoakResult = {
  readonly rounds: number;
  readonly seconds: number;
  readonly seed: number;
  readonly faults: Readonly<Record<Fault, number>>;
  readonly longPauses: number;
  readonly stopsThatEndedWell: number;
  readonly requests: number;
  readonly repeats: number;
  readonly answers: Readonly<Record<string, number>>;
  readonly events: number;
  readonly acknowledged: number;
  readonly calls: number;
  readonly received: number;
  readonly authorisations: number;
  readonly indeterminate: number;
  readonly queuedRuns: Readonly<Record<string, number>>;
  readonly readModels: number;
  readonly rows: number;
  readonly checks: readonly Check[];
};

const SITE = 'site_demo';
const KICKED_WHEN_DOWN = 0.8;
const UNDER_LOAD = 5;
const UNDER_LOAD_MS = [20, 400] as const;
const SETTLE_MS = 120_000;
const VISIBLY_THERE = new Set(['succeeded', 'failed', 'cancelled', 'awaiting_approval']);
const CAPABILITIES = ['items:read', 'items:write', 'items:update', 'schema:read'];

/** The same site for every soak: outside tools, a veto window, an agent and two people. */
const prepare = async (admin: Api, outside: CountingServer) => {
  const key = async (name: string, kind: string, capabilities: readonly string[]) => (await admin('POST', 'api-keys', { name, kind, capabilities })).body.data.key as string;
  await admin('PUT', 'settings', { outbound: { allowHosts: [outside.host] }, contentOs: { vetoWindow: true } });
  for (const [name, more] of Object.entries({ send: { risk: 'write' }, put: { risk: 'write', idempotent: true }, lookUp: { risk: 'read' } })) {
    const { status, text } = await admin('PUT', `agent/tools/${name}`, {
      kind: 'http', description: 'Counts', inputSchema: { type: 'object' }, requiredCapabilities: ['items:update'], irreversible: false, timeoutMs: 20_000, http: { url: `${outside.url}/${name}` }, ...more,
    });
    if (status !== 200) throw new Error(text);
  }
  await admin('PUT', 'agent/policies', { rules: [{ name: 'look at changes', when: { tool: 'updateItem' }, then: { do: 'ask' }, mode: 'enforce' }] });
  await admin('PUT', 'agent/autonomy/grants', { agentRole: 'Writer', capability: 'items:update', level: 3 });
  return {
    admin: ADMIN_KEY, agent: await key('robot', 'agent', CAPABILITIES),
    people: [await key('Ada', 'human', ['approvals:decide', ...CAPABILITIES]), await key('Grace', 'human', ['approvals:decide', ...CAPABILITIES])],
  } as const;
};

/** Rounds of faults under load, each followed by a look at the log; then rest, and a look at everything. */
export const soak = async ({ rounds, seconds, seed, clients, onRound = () => undefined }: SoakOptions): Promise<SoakResult> => {
  const random = randomOf(seed);
  const outside = await CountingServer.start();
  // Long enough that calls are under way when their process dies.
  outside.answer = async ({ key }) => {
    await sleep(Math.floor(Math.random() * 400));
    return { body: { done: key ?? null } };
  };
  const database = await startDatabase();
  const broker = await Broker.start();
  const fleet = await Fleet.start(database, broker.url);
  const queue = new PgBossQueue({ db: database.pool });
  try {
    await broker.listen('subscriber from the start');
    const ledger = new Ledger();
    const world: World = { fleet, database, broker, queue, ledger, siteId: SITE };
    const admin = apiAt(fleet.urls()[0]!)(ADMIN_KEY);
    const keys = await prepare(admin, outside);
    const watch = new LogWatch(database.pool, ledger);
    const perRound: string[] = [...(await watch.look())];
    const load = new Load({ keys, addresses: fleet.urls, ledger, random: random.fork(), clients });
    const faults = Object.fromEntries(FAULTS.map((fault) => [fault, 0])) as Record<Fault, number>;
    const tally = { longPauses: 0, stopsThatEndedWell: 0, badStops: [] as string[] };
    const started = performance.now();
    load.start();
    let done = 0;
    const restarts = new Set<Promise<unknown>>();
    for (; done < rounds && performance.now() - started < seconds * 1_000; done++) {
      // Mostly everything runs when something is killed; else a database that dies again and again would keep all others from starting.
      if (!fleet.isWhole && !random.chance(KICKED_WHEN_DOWN)) await until(() => fleet.isWhole, () => 'the processes that were killed', 600_000);
      // A round is one under load: something was acknowledged since the last one.
      const before = ledger.acknowledged.length;
      await until(() => ledger.acknowledged.length >= before + UNDER_LOAD, () => `${UNDER_LOAD} acknowledged writes before round ${done}`, 600_000);
      await sleep(UNDER_LOAD_MS[0] + random.below(UNDER_LOAD_MS[1] - UNDER_LOAD_MS[0]));
      const struckNow: string[] = [];
      for (const fault of faultsOfRound(fleet, random)) {
        const { struck, back } = await strike(fault, world, random);
        const returning = back.catch((error: unknown) => void perRound.push(`${fault}: it did not come back: ${String(error)}`)).finally(() => restarts.delete(returning));
        restarts.add(returning);
        if (struck.detail === 'none was up') continue;
        faults[fault]++;
        if (struck.detail === 'long') tally.longPauses++;
        if (struck.detail === 'ended with 0') tally.stopsThatEndedWell++;
        else if (struck.detail?.startsWith('ended with')) tally.badStops.push(`${fault} in round ${done}: ${struck.detail}`);
        struckNow.push(fault);
        await sleep(random.below(200));
      }
      await database.untilBack();
      const found = await watch.look();
      perRound.push(...found.map((each) => `Round ${done}: ${each}`));
      onRound(done, `${struckNow.join(', ')}; head ${watch.head}, ${watch.acknowledged} acknowledged, ${found.length} violations`);
    }
    await load.stop();
    fleet.line.slow(0);
    await Promise.all(restarts);
    await Promise.all(fleet.posts.filter((post) => !post.isUp).map((post) => post.start()));
    const spent = (performance.now() - started) / 1_000;

    const calm = await settle(database.pool, ledger);
    const last = apiAt(fleet.urls()[0]!)(ADMIN_KEY);
    perRound.push(...(await watch.look()));
    const rows = await rowsAfter(database.pool, 0n);
    const statuses = statusesOf(rows, ledger.queued);
    const called = callsRanOnce(rows, outside.counts(), ledger);
    const judged = judge(rows, SITE);
    await broker.listen('late joiner');
    const unheard = await broker.differences(rows, SETTLE_MS);
    const models = await verifyModels(last);
    const queuedRuns: Record<string, number> = {};
    for (const status of statuses.values()) queuedRuns[status] = (queuedRuns[status] ?? 0) + 1;
    const checks: Check[] = [
      { name: 'Acknowledged events are in the log once; positions and versions are dense; the chain verifies, after every round', violations: perRound },
      { name: 'The whole chain verifies', violations: await verdictOf(last, 'audit/verify') },
      { name: 'No finished call ran twice at the outside server, and no unknowable one was guessed', violations: called.violations },
      { name: 'Nothing leaves a final status, and every question has one answer', violations: endedOnce(rows) },
      { name: 'Nothing was authorised under a freeze', violations: judged.violations.map(({ position, why }) => `${position}: ${why}`) },
      { name: 'Every queued run ended or visibly waits, and every call has an outcome or a question to a person', violations: [...calm, ...[...statuses].filter(([, status]) => !VISIBLY_THERE.has(status)).map(([runId, status]) => `${runId} is ${status}`)] },
      { name: 'One key, one answer', violations: ledger.differing },
      { name: 'Every answer was one that a client understands', violations: ledger.strange },
      { name: 'A process that is told to stop ends with 0', violations: tally.badStops },
      { name: 'Read models equal the log', violations: models.violations },
      { name: 'Two subscribers of the broker have the log, in its order', violations: unheard },
      { name: 'Every decision replays to the same', violations: await verdictOf(last, 'agent/replay/verify') },
    ];
    return {
      rounds: done, seconds: Math.round(spent), seed, faults, longPauses: tally.longPauses, stopsThatEndedWell: tally.stopsThatEndedWell, requests: ledger.requests, repeats: ledger.repeats,
      answers: Object.fromEntries([...ledger.answers].toSorted(([a], [b]) => a - b)), events: rows.length, acknowledged: watch.acknowledged, calls: called.calls, received: outside.received.length,
      authorisations: judged.authorised, indeterminate: called.indeterminate, queuedRuns, readModels: models.names, rows: models.rows, checks,
    };
  } finally {
    await queue.stop(1_000).catch(() => undefined);
    await fleet.close();
    await broker.close();
    await database.close();
    await outside.close();
  }
};

/** Until no queued run and no call is under way any more; what is after that time is named. */
const settle = async (pool: World['database']['pool'], ledger: Ledger): Promise<string[]> => {
  const open = async () => {
    const rows = await rowsAfter(pool, 0n);
    return [...[...statusesOf(rows, ledger.queued)].filter(([, status]) => !VISIBLY_THERE.has(status)), ...callsWithoutOutcome(rows).map((key) => [key, 'in flight'] as const)];
  };
  for (const giveUp = performance.now() + SETTLE_MS; performance.now() < giveUp; await sleep(1_000)) if ((await open()).length === 0) return [];
  return (await open()).map(([runId, status]) => `${runId} was still ${status} after ${SETTLE_MS / 1_000} s of rest`);
};

const verdictOf = async (api: Api, path: string): Promise<string[]> => {
  const { text } = await api('GET', path);
  const verdict = text.split('\n\n').findLast((sent) => sent.includes('event: verdict'));
  return verdict?.includes('"ok":true') ? [] : [verdict?.slice(0, 2_000) ?? text.slice(0, 500)];
};

const verifyModels = async (api: Api) => {
  const statuses = async () => (await api('GET', 'ops/projections')).body.data as Body[];
  await until(async () => (await statuses()).every(({ lagEvents, state }) => lagEvents === '0' && state === 'live'), () => 'the read models to catch up', SETTLE_MS);
  const violations: string[] = [];
  let rows = 0;
  const all = await statuses();
  for (const { name } of all) {
    const { body, text } = await api('POST', `ops/projections/${name}/verify`, {});
    rows += (body?.data?.rows as number | undefined) ?? 0;
    if (body?.data?.ok !== true) violations.push(`${name}: ${text.slice(0, 1_000)}`);
  }
  return { violations, names: all.length, rows };
};
