import { Query, type Context, type Outcome } from '@app/kernel';
import type { ItemView } from '../item-list/item.view';
import type { ItemCondition } from '../item-list/list-items.query';

export type ExportItemsInput = { readonly collection: string; readonly where: readonly ItemCondition[] };

/** All live items of a collection, oldest first, read page by page as they are taken. */
export class ExportItems extends Query<Outcome<AsyncIterable<ItemView>>> {
  constructor(
    readonly input: ExportItemsInput,
    readonly context: Pick<Context, 'siteId'>,
    readonly minPosition?: bigint,
  ) {
    super();
  }
}
