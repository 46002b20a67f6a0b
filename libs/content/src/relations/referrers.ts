import { Injectable } from '@nestjs/common';
import { EventStore } from '@app/event-store';
import { ReadModels } from '@app/projections';
import { items } from '../item-list/items.projection';
import type { Relation } from '../relation.schema';
import type { Referrer } from './references.policy';

/** Finds what refers to an item: one example of each relation is enough to refuse a deletion, and to tell where to look. */
@Injectable()
export class Referrers {
  constructor(
    private readonly store: EventStore,
    private readonly readModels: ReadModels,
  ) {}

  async of(siteId: string, id: string, relations: readonly Relation[]): Promise<readonly Referrer[]> {
    if (relations.length === 0) return [];
    await this.readModels.reached(items, await this.store.head());
    const found = await Promise.all(
      relations.map(async ({ from, field }) => {
        const where = [{ path: 'collection', is: 'eq', value: from }, { path: `data.${field}`, is: 'eq', value: id }] as const;
        const { rows } = await this.readModels.list(items, { siteId, where, limit: 2 });
        // An item may refer to itself, and that keeps nobody from deleting it.
        return rows.filter((row) => row.id !== id).slice(0, 1).map((row) => ({ collection: from, field, id: row.id }));
      }),
    );
    return found.flat();
  }
}
