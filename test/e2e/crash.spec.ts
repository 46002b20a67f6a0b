import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { processesIn, signalTo, until } from './machine';
import { Processes, type ReadyProcess } from './processes';
import { ADMIN_KEY, apiAt, sentEvents, type Answer, type Api, type Body } from './server';

/** What a client was told: the position of its last event, and the title that only this write has. */
type Acknowledged = { readonly position: bigint; readonly title: string; readonly itemId: string; readonly callId?: string };

const WRITERS = 8;
const ENOUGH = 60;
/** The budget of a run is 20. */
const CALLS_PER_RUN = 15;

describe('After kill -9 in the middle of the work', () => {
  const processes = new Processes();
  const acknowledged: Acknowledged[] = [];
  const refused: Answer[] = [];
  let folder: string;
  let server: ReadyProcess;
  let api: Api;
  const start = async () => {
    server = await processes.start({ HARNESS_BOOTSTRAP_KEY: ADMIN_KEY }, folder);
    api = apiAt(server.url)(ADMIN_KEY);
  };
  const databaseProcesses = () => processesIn(join(folder, '.harness/postgres/cluster'));
  const killDatabase = () => {
    databaseProcesses().forEach((pid) => signalTo(pid, 'SIGKILL'));
    return until(() => databaseProcesses().length === 0, () => 'the end of the database', 10_000);
  };

  beforeAll(async () => {
    folder = processes.directory();
    await start();
  });
  afterAll(() => processes.cleanUp());

  const put = async (title: string): Promise<Acknowledged | Answer> => {
    const answer = await api('POST', 'items/products', { data: { sku: 'K-1', title } });
    const { status, body } = answer;
    return status === 201 ? { title, itemId: body.data.id as string, position: BigInt(body.position as string) } : answer;
  };
  const call = async (runId: string, title: string): Promise<Acknowledged | Answer> => {
    const answer = await api('POST', `agent/runs/${runId}/tool-calls`, { tool: 'createItem', arguments: { collection: 'products', data: { sku: 'K-2', title } } });
    const { status, body } = answer;
    if (status !== 200 || body.data.status !== 'executed') return answer;
    return { title, itemId: body.data.result.id as string, callId: body.data.callId as string, position: BigInt(body.position as string) };
  };
  const newRun = async () => (await api('POST', 'agent/goals', { title: 'Load', agentName: 'robot' })).body.data.runId as string;

  /** Half of them write by themselves, half through the door of a run, until the server does not answer any more. */
  const load = (round: string) => {
    let enough: (value?: unknown) => void;
    const busy = new Promise((settle) => (enough = settle));
    const before = acknowledged.length;
    const writer = async (nr: number) => {
      for (let i = 0, runId = ''; ; i++) {
        if (nr % 2 && i % CALLS_PER_RUN === 0) runId = await newRun();
        const title = `${round}-${nr}-${i}`;
        const told = await (nr % 2 ? call(runId, title) : put(title));
        if ('status' in told) refused.push(told);
        else if (acknowledged.push(told) - before === ENOUGH) enough();
      }
    };
    const ended = Promise.all(Array.from({ length: WRITERS }, (_, nr) => writer(nr).catch(() => undefined)));
    return { busy: Promise.race([busy, ended]), ended };
  };

  /** The list of events is a read model, which a new process leads only when the lease of the killed one has expired: until then it says 503. */
  const everyEvent = async (head: string): Promise<Body[]> => {
    const events: Body[] = [];
    for (let cursor = ''; ; ) {
      const page = `audit/events?sort=position&limit=100${cursor}`;
      const { body } = await until(
        async () => {
          const answer = await api('GET', page, undefined, { 'x-min-position': head });
          return answer.status === 200 ? answer : undefined;
        },
        () => 'the list of all events', 40_000,
      );
      events.push(...(body.data as Body[]));
      if (body.nextCursor === null || body.nextCursor === undefined) return events;
      cursor = `&cursor=${encodeURIComponent(body.nextCursor as string)}`;
    }
  };
  const verdict = async (): Promise<Body> => {
    const answer = await fetch(`${server.url}/api/v1/audit/verify`, { headers: { authorization: `Bearer ${ADMIN_KEY}` } });
    for await (const { event, data } of sentEvents(answer)) if (event === 'verdict') return data;
  };

  const expectEverythingServed = async () => {
    expect(acknowledged.length).toBeGreaterThanOrEqual(ENOUGH);
    expect(refused.filter(({ status }) => status !== 503).map(({ text }) => text)).toEqual([]);
    const { ok, head, events: count } = await verdict();
    expect(ok).toBe(true);
    // What recovery does meanwhile comes after the head that was verified.
    const events = (await everyEvent(head as string)).filter(({ position }: Body) => BigInt(position as string) <= BigInt(head as string));
    expect(String(events.length)).toBe(count);
    const at = new Map(events.map((event: Body) => [BigInt(event.position as string), event]));
    const makers = new Map(events.filter(({ type }: Body) => type === 'ItemCreated').map((event: Body) => [event.data.data.title as string, event]));
    const outcomes = events.filter(({ type }: Body) => type === 'ToolCallSucceeded').map(({ data }: Body) => data.callId as string);
    expect(new Set(outcomes).size).toBe(outcomes.length);
    for (const { position, title, callId } of acknowledged) {
      expect(at.get(position)).toMatchObject(callId === undefined ? { type: 'ItemCreated', data: { data: { title } } } : { type: 'ToolCallSucceeded', data: { callId } });
      expect(makers.has(title)).toBe(true);
    }
    for (const { itemId, title } of acknowledged.slice(-20)) expect((await api('GET', `items/products/${itemId}`)).body.data.data.title).toBe(title);
  };

  it.each([
    ['the server and then the database', async () => {
      await server.kill();
      await killDatabase();
    }],
    ['the database and then the server', async () => {
      await killDatabase();
      await server.kill();
    }],
  ])('[SETUP-014] of %s, the next start recovers and serves every acknowledged event', async (round, kill) => {
    const { busy, ended } = load(round);
    await busy;
    await kill();
    await ended;
    await start();
    expect(readFileSync(join(folder, '.harness/postgres/postgres.log'), 'utf8')).toContain('database system was not properly shut down; automatic recovery in progress');
    await expectEverythingServed();
  });

  it('of the server alone, the next start takes over the running database and serves every acknowledged event', async () => {
    const { busy, ended } = load('server alone');
    await busy;
    const postmaster = Math.min(...databaseProcesses());
    await server.kill();
    await ended;
    await start();
    expect(databaseProcesses()).toContain(postmaster);
    await expectEverythingServed();
  });
});
