import { Command, type Context, type Outcome } from '@app/kernel';
import type { ItemPins } from '../item-pins/item-pin.view';

/** A person gives one field of an item back to agents, or, without a field, all of them. */
export class ReleasePins extends Command<Outcome<ItemPins>> {
  constructor(
    readonly target: { readonly collection: string; readonly id: string; readonly field?: string },
    readonly context: Context,
  ) {
    super();
  }
}
