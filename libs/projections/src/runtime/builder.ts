import type { EventStore } from '@app/event-store';
import type { Pool } from 'pg';
import { createIndexes } from '../table/ddl';
import { quoted } from '../table/shape';
import type { Build } from './build';
import { LeaseLost } from './live-loop';
import { dropOlder, exchange, withLockRetry } from './swap';

export type BuilderDependencies = { readonly pool: Pool; readonly store: EventStore };

const PAGE = 5_000;
/** Written after so many events: a bigger portion saves little more (see README), and a kill loses at most this much work. */
const PORTION = 20_000;
const BULK = { page: PAGE, portion: PORTION };
/** Event by event: how a build finds the one event whose row the database refuses. */
export const CAREFUL = { page: 1, portion: 1 };

/** So few events can be folded while readers wait for the swap: about 10 ms. */
const SWAP_GAP = 1_000n;

/** Ends one build and leaves its companions alone. */
type Outcome = (build: Build, error: unknown) => void;

/**
 * Takes several generations through the log with one reader: reading and decoding a million events costs more than most folds.
 * A build that fails drops out; `failed` hears why. Returns the builds that reached the head of the log.
 */
export const readTogether = async (
  builds: readonly Build[],
  { pool, store }: BuilderDependencies,
  failed: Outcome,
  { page: pageSize, portion } = BULK,
) => {
  const active = new Set(builds);
  const each = (work: (build: Build) => Promise<void>) =>
    Promise.all(
      [...active].map((build) =>
        work(build).catch((error: unknown) => {
          if (active.delete(build)) failed(build, error);
        }),
      ),
    );
  const writeAll = () => each((build) => build.write(pool));
  const from = builds.reduce((min, { position }) => (position < min ? position : min), builds[0]?.position ?? 0n);
  let written: Promise<unknown> = Promise.resolve();
  let unwritten = 0;
  for await (const page of readAhead(store.readAll(from, { pageSize }))) {
    for (const build of active) {
      try {
        build.signal.throwIfAborted();
        await build.take(page, pool);
      } catch (error) {
        active.delete(build);
        // What was folded before the poison is good: it is kept, so the build stops right in front of it.
        await build.write(pool).then(
          () => failed(build, error),
          (cause: unknown) => failed(build, cause),
        );
      }
    }
    if (active.size === 0) break;
    unwritten += page.length;
    if (unwritten < portion) continue;
    unwritten = 0;
    await written;
    written = writeAll();
    if (portion === CAREFUL.portion) await written;
  }
  await written;
  await writeAll();
  return [...active];
};

/** Asks for the next page before the current one is folded: the database reads while this process computes. */
async function* readAhead<T>(pages: AsyncIterable<T>): AsyncGenerator<T, void, undefined> {
  const iterator = pages[Symbol.asyncIterator]();
  let next = iterator.next();
  try {
    for (;;) {
      const { done, value } = await next;
      if (done) return;
      next = iterator.next();
      // It fails in its turn, when it is awaited; until then a failure must not count as unhandled.
      next.catch(() => undefined);
      yield value;
    }
  } finally {
    await next.catch(() => undefined);
    await iterator.return?.();
  }
}

/** Indexes, the last events, and the swap. */
export const takeOver = async (build: Build, { pool, store }: BuilderDependencies): Promise<void> => {
  const { p, of, shape, table, signal } = build;
  for (const sql of createIndexes(shape, table, of.name, of.generation)) {
    signal.throwIfAborted();
    await pool.query(sql);
  }
  await pool.query(`ANALYZE ${quoted(table)}`);
  for (;;) {
    await catchUp(build, { pool, store });
    let kept = 0;
    const outcome = await withLockRetry(
      () =>
        exchange(pool, p.name, of, async (client, serving, incoming) => {
          if (incoming.fence !== of.fence || incoming.state !== 'running') throw new LeaseLost(of);
          kept = serving.generation;
          if (serving.position - build.position > SWAP_GAP) return 'behind';
          for await (const page of store.readAll(build.position, { pageSize: Number(SWAP_GAP) })) {
            await build.take(page, client);
            if (build.position >= serving.position) break;
          }
          await build.writeWithin(client);
          return build.position >= serving.position ? 'done' : 'behind';
        }),
      signal,
    );
    if (outcome === 'gone') throw new LeaseLost(of);
    if (outcome === 'done') return dropOlder(pool, p.name, kept);
  }
};

const catchUp = async (build: Build, { pool, store }: BuilderDependencies) => {
  do {
    for await (const page of store.readAll(build.position, { pageSize: PAGE })) {
      build.signal.throwIfAborted();
      await build.take(page, pool);
      await build.write(pool);
    }
  } while ((await store.head()) - build.position > SWAP_GAP);
};
