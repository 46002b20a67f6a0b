import type { AnyProjection } from '../projection';
import type { Generation, Queries } from './generations';

const NONE: ReadonlySet<bigint> = new Set();

/** Events that somebody decided to pass over. They count for one version of the handlers: the next version gets to see them. */
export const skippedBy = async (db: Queries, projections: readonly Pick<AnyProjection, 'name'>[]) => {
  const { rows } = await db.query<{ name: string; version: number; position: bigint }>(
    'SELECT name, version, position FROM es_projection_skip WHERE name = ANY($1)', [projections.map(({ name }) => name)],
  );
  const all = new Map<string, Set<bigint>>();
  for (const { name, version, position } of rows) {
    const key = `${name} ${version}`;
    all.set(key, (all.get(key) ?? new Set()).add(position));
  }
  return ({ name, version }: Pick<Generation, 'name' | 'version'>): ReadonlySet<bigint> => all.get(`${name} ${version}`) ?? NONE;
};
