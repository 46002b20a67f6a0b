import { Query, type Context, type Outcome } from '@app/kernel';
import type { ItemPins } from './item-pin.view';

/** The pins of one item as the log has them now. */
export class GetPins extends Query<Outcome<ItemPins>> {
  constructor(
    readonly target: { readonly collection: string; readonly id: string },
    readonly context: Pick<Context, 'siteId'>,
  ) {
    super();
  }
}
