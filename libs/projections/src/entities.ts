import { EntitySchema, type EntitySchemaColumnOptions } from 'typeorm';
import type { AnyProjection, ColumnType } from './projection';
import { servingTable, shapeOf } from './table/shape';

/** The driver gives bigint as digits; a row has it as a bigint, exact beyond 2^53. */
const exact = {
  from: (value: string | null) => (value === null ? null : BigInt(value)),
  to: (value: bigint | null) => (value === null ? null : String(value)),
};

const columnOf = (name: string, type: ColumnType): EntitySchemaColumnOptions => {
  switch (type) {
    case 'text[]':
      return { name, type: 'text', array: true, nullable: true };
    case 'bigint':
      return { name, type: 'bigint', nullable: true, transformer: exact };
    default:
      return { name, type, nullable: true };
  }
};

const entities = new WeakMap<AnyProjection, EntitySchema<Record<string, unknown>>>();

/** The TypeORM entity of a read model's serving table. The runtime owns the table: never let TypeORM synchronise it. */
export const entityOf = (p: AnyProjection): EntitySchema<Record<string, unknown>> => {
  const known = entities.get(p);
  if (known) return known;
  const columns = shapeOf(p).columns.map(({ field, name, type }) => [field, { ...columnOf(name, type), primary: field === 'id' }] as const);
  const entity = new EntitySchema<Record<string, unknown>>({
    name: servingTable(p.name),
    tableName: servingTable(p.name),
    columns: Object.fromEntries(columns),
  });
  entities.set(p, entity);
  return entity;
};

export const entitiesOf = (projections: readonly AnyProjection[]) => projections.map(entityOf);
