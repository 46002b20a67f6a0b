import type { DataSource } from 'typeorm';
import type { AnyProjection } from './projection';
import { servingTable, shapeOf } from './table/shape';

/**
 * Which fields the serving table has. While a new version of a projection is being built, the old generation serves, and code of either
 * version may be reading: a field that the table does not have, or has with another type, reads as null until the swap.
 */
export class ServedColumns {
  private readonly known = new Map<string, ReadonlySet<string>>();

  constructor(private readonly source: DataSource) {}

  /** Looked up once; again and again only while something is missing, and after `forget`. */
  async fields(p: AnyProjection): Promise<ReadonlySet<string>> {
    const known = this.known.get(p.name);
    if (known) return known;
    const rows = await this.source.query<{ name: string; type: string }[]>(
      `SELECT attname AS name, format_type(atttypid, NULL) AS type FROM pg_attribute
       WHERE attrelid = to_regclass($1) AND attnum > 0 AND NOT attisdropped`, [`"${servingTable(p.name)}"`],
    );
    const types = new Map(rows.map(({ name, type }) => [name, type]));
    const { columns } = shapeOf(p);
    const served = new Set(columns.filter(({ name, type }) => types.get(name) === type).map(({ field }) => field));
    if (served.size === columns.length) this.known.set(p.name, served);
    return served;
  }

  forget(p: AnyProjection): void {
    this.known.delete(p.name);
  }
}
