import { Query, type Context, type Outcome } from '@app/kernel';
import { z } from 'zod';
import { Name } from '../field.schema';
import type { ItemView } from '../item-list/item.view';

export const GetItemInput = z.strictObject({ collection: Name, id: z.string().max(100), provenance: z.boolean().optional().describe('Also say where the values of its newest revision come from') }).meta({ id: 'GetItem' });
export type GetItemInput = z.infer<typeof GetItemInput>;

/** One item as the log has it now: a read right after a write sees it without waiting. */
export class GetItem extends Query<Outcome<ItemView>> {
  constructor(
    readonly input: GetItemInput,
    readonly context: Pick<Context, 'siteId'>,
  ) {
    super();
  }
}
