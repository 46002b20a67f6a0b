import { Query, type Context, type Outcome } from '@app/kernel';
import { z } from 'zod';
import { Name } from '../field.schema';
import type { Listed } from '../listed.view';
import type { ItemView } from './item.view';

export const COMPARISONS = ['eq', 'in', 'gt', 'gte', 'lt', 'lte', 'contains'] as const;

/** What the read model keeps a column, and so an order, for. */
export const SORTS = ['id', '-id', 'createdAt', '-createdAt', 'updatedAt', '-updatedAt'] as const;

/** A condition on one field; `in` takes a list of values. An item without a value for the field never fits. */
export const ItemCondition = z.strictObject({ field: Name, is: z.enum(COMPARISONS), value: z.unknown() });
export type ItemCondition = Readonly<z.infer<typeof ItemCondition>>;

export const ListItemsInput = z
  .strictObject({
    collection: Name,
    where: z.array(ItemCondition).max(20).optional().describe('All of them must hold'),
    sort: z.enum(SORTS).optional().describe('With - in front the largest comes first. Default: newest first'),
    limit: z.int().min(1).max(200).default(50),
    cursor: z.string().max(1_024).optional(),
  })
  .meta({ id: 'ListItems' });
export type ListItemsInput = z.infer<typeof ListItemsInput>;

/** The live items of a collection. `minPosition`: what the list must have seen. */
export class ListItems extends Query<Outcome<Listed<ItemView>>> {
  constructor(
    readonly input: ListItemsInput,
    readonly context: Pick<Context, 'siteId'>,
    readonly minPosition?: bigint,
  ) {
    super();
  }
}
