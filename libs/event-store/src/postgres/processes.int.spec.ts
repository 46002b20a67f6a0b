import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { testDatabase } from '../../../../test/database';
import { compileStore, type Compiled } from '../testing/child-process';
import { catalogue, collectPages, newStream } from '../testing/samples';
import { PostgresEventStore } from './postgres.event-store';

let compiled: Compiled;
beforeAll(() => { compiled = compileStore(); });
afterAll(() => compiled.remove());

it('[LOG-024] with 200 writers in 4 processes the log holds exactly the acknowledged events at dense positions', async () => {
  const { drop, ...connection } = await testDatabase();
  const store = await new PostgresEventStore({ connection, catalogue }).start();
  const shared = Array.from({ length: 5 }, () => newStream());
  const children = Array.from({ length: 4 }, () => compiled.run('writers.js', { input: { connection, writers: 50, appends: 10, shared } }));
  // A reader in a fifth process follows them all the while.
  const followed: bigint[] = [];
  const stop = new AbortController();
  const following = (async () => {
    for await (const page of store.follow(0n, { signal: stop.signal })) {
      followed.push(...page.map(({ position }) => position));
      if (followed.at(-1) === (await store.head()) && children.every(({ process }) => process.exitCode !== null)) return;
    }
  })();
  expect(await Promise.all(children.map(({ exited }) => exited))).toEqual([0, 0, 0, 0]);

  const acknowledged = (children.flatMap(({ lines }) => lines) as { position: string; eventIds: string[] }[]).map(({ position, eventIds }) => ({ position: BigInt(position), eventIds }));
  const log = await collectPages(store.readAll(0n));
  expect(log.map(({ position }) => position)).toEqual(log.map((_, i) => BigInt(i + 1)));
  expect(log.map(({ eventId }) => eventId).sort()).toEqual(acknowledged.flatMap(({ eventIds }) => eventIds).sort());
  const idAt = new Map(log.map(({ position, eventId }) => [position, eventId]));
  for (const { position, eventIds } of acknowledged) expect([idAt.get(position - 1n), idAt.get(position)]).toEqual(eventIds);
  for (const events of Map.groupBy(log, ({ streamId }) => streamId).values()) expect(events.map(({ version }) => version)).toEqual(events.map((_, i) => i + 1));
  // Own streams never conflict; the shared ones do, or the test would show nothing.
  expect(acknowledged.length).toBeGreaterThanOrEqual(4 * 50 * 5);
  expect(acknowledged.length).toBeLessThan(4 * 50 * 10);

  setTimeout(() => stop.abort(), 5_000).unref();
  await following;
  expect(followed).toEqual(log.map(({ position }) => position));
  await store.close();
  await drop();
});
