import type { EventStore } from '@app/event-store';
import type { AnyProjection } from './projection';
import { generationsOf, type Generation, type Queries } from './runtime/generations';

/** `ratio` is the part of the log, as it was when the rebuild began, that has been folded and stored. */
export type RebuildProgress = {
  readonly generation: number;
  readonly version: number;
  readonly position: bigint;
  readonly target: bigint;
  readonly ratio: number;
};

/**
 * `version`, `generation` and `position` are those of what serves. `building`: a rebuild is under way. `lagMs` is the age of the oldest
 * event that is not in the read model yet. `error` tells why it stopped, or why a newer version does not serve.
 */
export type ProjectionStatus = {
  readonly name: string;
  readonly version: number;
  readonly generation: number;
  readonly state: 'live' | 'building' | 'paused' | 'stopped';
  readonly position: bigint;
  readonly lagEvents: bigint;
  readonly lagMs: number;
  readonly progress?: RebuildProgress;
  readonly error?: { readonly position: bigint | null; readonly message: string };
};

export const statusOf = async (
  db: Queries,
  store: EventStore,
  projections: readonly AnyProjection[],
  now: Date,
): Promise<readonly ProjectionStatus[]> => {
  const rows = await generationsOf(
    db,
    projections.map(({ name }) => name),
  );
  const head = await store.head();
  const ages = new Map<bigint, Promise<number>>();
  const lagOf = (position: bigint) => {
    const known = ages.get(position) ?? ageOfNext(store, position, now);
    ages.set(position, known);
    return known;
  };
  return Promise.all(
    projections.map(async (p) => {
      const own = rows.filter(({ name }) => name === p.name);
      const serving = own.find(({ role }) => role === 'serving');
      const building = own.find(({ role }) => role === 'building');
      const position = serving?.position ?? 0n;
      const lagEvents = head > position ? head - position : 0n;
      const error = errorOf(p, serving, building);
      return {
        name: p.name,
        version: serving?.version ?? p.version,
        generation: serving?.generation ?? 0,
        position,
        lagEvents,
        state: stateOf(p, serving, building),
        lagMs: lagEvents > 0n ? await lagOf(position) : 0,
        ...(building && { progress: progressOf(building) }),
        ...(error && { error }),
      };
    }),
  );
};

const stateOf = (p: AnyProjection, serving: Generation | undefined, building: Generation | undefined): ProjectionStatus['state'] => {
  if (serving?.state === 'paused' || building?.state === 'paused') return 'paused';
  if (serving?.state === 'stopped' || building?.state === 'stopped') return 'stopped';
  if (building || !serving) return 'building';
  return serving.version === p.version ? 'live' : 'stopped';
};

const errorOf = (p: AnyProjection, serving: Generation | undefined, building: Generation | undefined) => {
  const failed = [serving, building].find((each) => each?.error != null);
  if (failed) return { position: failed.errorPosition, message: failed.error! };
  if (!serving || building || serving.version === p.version) return undefined;
  return {
    position: null,
    message: `Version ${serving.version} serves and this program has ${p.version}: order a rebuild, or run the older program`,
  };
};

const progressOf = ({ generation, version, position, target }: Generation): RebuildProgress => {
  // Per mille as integers first: a position never becomes a number.
  const perMille = target === 0n ? 1_000n : (position * 1_000n) / target;
  return { generation, version, position, target, ratio: Number(perMille > 1_000n ? 1_000n : perMille) / 1_000 };
};

const ageOfNext = async (store: EventStore, position: bigint, now: Date): Promise<number> => {
  for await (const page of store.readAll(position, { pageSize: 1 })) {
    const next = page[0];
    if (next) return Math.max(0, now.getTime() - Date.parse(next.occurredAt));
  }
  return 0;
};
