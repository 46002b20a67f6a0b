import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { Recorded } from '@app/kernel';
import type { LogReads } from '../log-reads';
import { history, live, runId } from '../testing/histories';
import { memoryLog, rules, serverOver, type Server } from '../testing/servers';
import { isDecision, type RecordedRunEvent } from './decision-event.policy';
import { walkRun, walkSite, type Stretch } from './replay-walk';

const RUNS = 150;

const listed = async <T>(values: AsyncIterable<T>): Promise<T[]> => {
  const list: T[] = [];
  for await (const value of values) list.push(value);
  return list;
};
const all = async (walk: AsyncIterable<Stretch>) => {
  const stretches = await listed(walk);
  return { decisions: stretches.flatMap(({ decisions }) => decisions), mismatches: stretches.flatMap(({ mismatches }) => mismatches) };
};
const decisionsIn = async (log: LogReads, siteId: string) =>
  (await listed(log.readAll(0n, { filter: { siteId, categories: ['run'] } }))).flat().filter((event) => isDecision(event as unknown as RecordedRunEvent));

/** The log with one event changed, for readers. */
const tampered = (log: LogReads, eventId: string, change: (event: Recorded) => Recorded): LogReads => {
  const changed = (event: Recorded) => (event.eventId === eventId ? change(event) : event);
  return {
    head: () => log.head(),
    versions: (streams) => log.versions(streams),
    async *read(stream, from) { for await (const event of log.read(stream, from)) yield changed(event); },
    async *readAll(after, options) { for await (const page of log.readAll(after, options)) yield page.map(changed); },
  };
};

describe('Decisions taken again', () => {
  const log = memoryLog();
  let servers: readonly [Server, Server];
  const seen = new Map<string, number>();
  const sites: string[] = [];

  beforeAll(async () => {
    servers = [await serverOver(log), await serverOver(log)];
  });
  afterAll(() => Promise.all(servers.map(({ close }) => close())));

  it('[REPLAY-005] are each recorded decision again, byte for byte, after any history of rules, calls, answers and cancellations', async () => {
    let count = 0;
    await fc.assert(
      fc.asyncProperty(history, async (moments) => {
        const siteId = `site_${++count}`;
        const t0=performance.now(); await live(servers, siteId, moments); const t1=performance.now();
        const recorded = await decisionsIn(log, siteId);
        for (const { type, data } of recorded) for (const k of [type, 'reason' in (data as object) ? (data as {reason: string}).reason : '']) seen.set(k, (seen.get(k) ?? 0) + 1);
        const site = await all(walkSite(log, rules, { siteId }));
        expect(site.mismatches).toEqual([]);
        expect(site.decisions.map(({ event }) => event.eventId)).toEqual(recorded.map(({ eventId }) => eventId));
        for (const index of [0, 1, 2]) {
          const one = await all(walkRun(log, rules, runId(siteId, index), { siteId }));
          expect(one.mismatches).toEqual([]);
          expect(one.decisions.map(({ event }) => event.eventId)).toEqual(recorded.filter(({ streamId }) => streamId === `run-${runId(siteId, index)}`).map(({ eventId }) => eventId));
        }
        (globalThis as any).T=((globalThis as any).T ?? [0,0]); (globalThis as any).T[0]+=t1-t0; (globalThis as any).T[1]+=performance.now()-t1;
      }),
      { numRuns: RUNS },
    );
    console.log((globalThis as any).T, process.cpuUsage(), seen, await log.head());
    for (const type of ['ToolCallAuthorised', 'ToolCallParked', 'ToolCallDenied']) expect(seen.get(type)).toBeGreaterThan(RUNS);
  });
});
