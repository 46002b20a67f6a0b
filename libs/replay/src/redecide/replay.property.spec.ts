import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { EventStore } from '@app/event-store';
import type { Recorded } from '@app/kernel';
import { run } from '@app/runs/contract';
import type { LogReads } from '../log-reads';
import type { Range } from '../moment/moment.policy';
import { history, live, runId, PASSWORD } from '../testing/histories';
import { listed, readingOnly, tampered } from '../testing/logs';
import { memoryLog, rules, serverOver, type Server } from '../testing/servers';
import { isDecision, type RecordedRunEvent } from './decision-event.policy';
import { walkRun, walkSite, type Stretch, type Walk } from './replay-walk';
import { Walker } from './walker';

const HISTORIES = 120;

const found = async (walk: AsyncIterable<Stretch>) => {
  const stretches = await listed(walk);
  return { decisions: stretches.flatMap(({ decisions }) => decisions), mismatches: stretches.flatMap(({ mismatches }) => mismatches) };
};
const eventIds = (decisions: readonly { readonly event: Recorded }[]) => decisions.map(({ event }) => event.eventId);

describe('Decisions taken again', () => {
  const log = memoryLog();
  const recorded = new Map<string, readonly Recorded[]>();
  let servers: readonly [Server, Server];

  beforeAll(async () => {
    servers = [await serverOver(log), await serverOver(log)];
  });
  afterAll(() => Promise.all(servers.map(({ close }) => close())));

  const decisionsIn = async (siteId: string) =>
    (await listed(log.readAll(0n, { filter: { siteId, categories: ['run'] } }))).flat().filter((event) => isDecision(event as unknown as RecordedRunEvent));
  const ofSite = (siteId: string, more: Partial<Walk & Range> = {}) => found(walkSite(log, { rules, siteId, ...more }));
  /** The sites with the most decisions. */
  const busiest = (count: number) => [...recorded.keys()].toSorted((a, b) => recorded.get(b)!.length - recorded.get(a)!.length).slice(0, count);

  it('[REPLAY-005] are each recorded decision again, byte for byte, after any history of rules, calls, answers and cancellations on two servers', async () => {
    await fc.assert(
      fc.asyncProperty(history, async (moments) => {
        const siteId = `site_${recorded.size + 1}`;
        recorded.set(siteId, []);
        await live(servers, siteId, moments);
        const all = await decisionsIn(siteId);
        recorded.set(siteId, all);
        const { decisions, mismatches } = await ofSite(siteId);
        expect(mismatches).toEqual([]);
        expect(eventIds(decisions)).toEqual(all.map(({ eventId }) => eventId));
      }),
      { numRuns: HISTORIES },
    );
    const counts = Object.groupBy([...recorded.values()].flat(), ({ type }) => type);
    for (const type of ['ToolCallAuthorised', 'ToolCallParked', 'ToolCallDenied', 'ToolCallStaged']) expect([type, counts[type]?.length]).toEqual([type, expect.any(Number)]);
    expect([...recorded.values()].flat().length).toBeGreaterThan(5 * HISTORIES);
  });

  it('were so without a secret in any event, also where a call was asked for, approved or edited with one', async () => {
    const events = (await listed(log.readAll(0n))).flat().map(({ type, data }) => `${type} ${JSON.stringify(data)}`);
    for (const type of ['ToolCallAuthorised', 'ToolCallParked', 'ToolCallDenied']) expect([type, events.some((text) => text.startsWith(type) && text.includes('"masked":true'))]).toEqual([type, true]);
    expect(events.filter((text) => text.includes(PASSWORD))).toEqual([]);
  });

  it('[REPLAY-005] are the same for one run, read from two streams alone', async () => {
    for (const siteId of busiest(10)) {
      for (const index of [0, 1, 2]) {
        const { decisions, mismatches } = await found(walkRun(log, runId(siteId, index), { rules, siteId }));
        expect(mismatches).toEqual([]);
        expect(eventIds(decisions)).toEqual(recorded.get(siteId)!.filter(({ streamId }) => streamId === `run-${runId(siteId, index)}`).map(({ eventId }) => eventId));
      }
    }
  });

  it('[REPLAY-005] are taken on the run as it was before their append, whatever else was going on', async () => {
    // In memory every append is a batch of its own, so the batch tells where the append began.
    const withoutResults = (state: unknown) => JSON.parse(JSON.stringify(state, (key, value: unknown) => (key === 'result' ? undefined : value))) as unknown;
    let others = 0;
    for (const siteId of busiest(10)) {
      const { decisions } = await ofSite(siteId);
      for (const { event, world } of decisions) {
        const history = (await listed(log.read(event.streamId))) as unknown as RecordedRunEvent[];
        const before = history.filter(({ position }) => position < event.chain.batch).reduce(run.evolve, run.initial);
        expect(withoutResults(world.run)).toEqual(withoutResults(before));
        others += before.status === 'awaiting_approval' ? 1 : 0;
      }
    }
    expect(others).toBeGreaterThan(0);
  });

  it('are the same from the middle of the log on, and within a range of time', async () => {
    for (const siteId of busiest(10)) {
      const all = recorded.get(siteId)!;
      for (const middle of [all[1]!, all[all.length >> 1]!, all.at(-1)!]) {
        const { decisions, mismatches } = await ofSite(siteId, { from: { position: middle.position } });
        expect([mismatches, eventIds(decisions)]).toEqual([[], all.filter(({ position }) => position >= middle.position).map(({ eventId }) => eventId)]);
        const before = await ofSite(siteId, { to: { time: middle.occurredAt } });
        expect([before.mismatches, eventIds(before.decisions)]).toEqual([[], all.filter(({ occurredAt }) => occurredAt <= middle.occurredAt).map(({ eventId }) => eventId)]);
      }
    }
  });

  it('are the same when no run is kept in memory between its decisions', async () => {
    for (const siteId of busiest(5)) {
      const walker = new Walker(log, { rules, maxBytes: 0 });
      for await (const page of log.readAll(0n, { filter: { siteId, categories: ['governance', 'run'] } })) for (const event of page) await walker.feed(event);
      walker.end();
      expect(walker.take().mismatches).toEqual([]);
    }
  });

  it('[REPLAY-006] name the event that says something else than the door would', async () => {
    const bent: Record<string, (data: Record<string, unknown>) => Record<string, unknown>> = {
      ToolCallAuthorised: (data) => ({ ...data, autonomy: Number(data['autonomy']) + 1 }),
      ToolCallParked: (data) => ({ ...data, policy: 'another rule' }),
      ToolCallDenied: (data) => ({ ...data, arguments: { ...(data['arguments'] as object), id: 'z' } }),
      ToolCallStaged: (data) => ({ ...data, governanceVersion: Number(data['governanceVersion']) - 1 }),
    };
    const path = { ToolCallAuthorised: '/autonomy', ToolCallParked: '/policy', ToolCallDenied: '/argumentsHash', ToolCallStaged: '/governanceVersion' };
    for (const type of Object.keys(bent) as (keyof typeof path)[]) {
      const [siteId, event] = [...recorded].flatMap(([site, events]) => events.filter((each) => each.type === type && !('masked' in (each.data as object))).map((each) => [site, each] as const)).at(-1)!;
      const forged = tampered(log, event.eventId, (each) => ({ ...each, data: bent[type]!(each.data as Record<string, unknown>) }));
      const { mismatches } = await found(walkSite(forged, { rules, siteId }));
      expect(mismatches[0]).toMatchObject({ eventId: event.eventId, position: String(event.position), streamId: event.streamId, version: event.version, type });
      expect(mismatches[0]!.differences.map((each) => each.path)).toContain(path[type]);
    }
  });

  it('name an event of the append that the door would not have added, or would have', async () => {
    const [siteId, parked] = [...recorded].flatMap(([site, events]) => events.filter(({ type }) => type === 'ToolCallParked').map((event) => [site, event] as const))[0]!;
    const next = (await listed(log.readAll(parked.position, { filter: { siteId }, pageSize: 1 })))[0]![0]!;
    const forged = tampered(log, next.eventId, (event) => ({ ...event, type: 'RunCancelRequested', data: {} }));
    expect((await found(walkSite(forged, { rules, siteId }))).mismatches[0]).toMatchObject({ eventId: next.eventId, detail: expect.stringContaining('RunParked') });
  });

  it('[REPLAY-007] need the reading half of the log and nothing else', async () => {
    const [siteId] = busiest(1) as [string];
    const before = await log.head();
    const { decisions, mismatches } = await found(walkSite(readingOnly(log), { rules, siteId }));
    expect([decisions.length, mismatches]).toEqual([recorded.get(siteId)!.length, []]);
    expect(await log.head()).toBe(before);
    const reads: LogReads = log;
    // @ts-expect-error A replay's log has no way to write.
    expect(reads.append).toBe(EventStore.prototype.append ?? log.append);
  });
});
