import { Query, type Context, type Outcome } from '@app/kernel';
import type { GetItemInput } from '../get-item/get-item.query';
import type { ItemData } from '../item.events';

export type InspectedItem = { readonly version: number; readonly data: ItemData; readonly pinned: readonly string[] };

/** What a decision about a live item needs to know, all of one moment: its version, its values and the fields that people pinned. */
export class InspectItem extends Query<Outcome<InspectedItem>> {
  constructor(
    readonly input: GetItemInput,
    readonly context: Pick<Context, 'siteId'>,
  ) {
    super();
  }
}
