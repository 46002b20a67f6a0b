import { Command, type Context, type Outcome } from '@app/kernel';
import { z } from 'zod';
import { Name } from '../field.schema';
import type { ItemPins } from '../item-pins/item-pin.view';

export const PinFieldsBody = z.strictObject({ fields: z.array(Name).min(1).max(200) }).meta({ id: 'PinFields' });
export type PinFieldsBody = z.infer<typeof PinFieldsBody>;

/** A person keeps fields of an item from every agent. */
export class PinFields extends Command<Outcome<ItemPins>> {
  constructor(
    readonly target: { readonly collection: string; readonly id: string },
    readonly body: PinFieldsBody,
    readonly context: Context,
  ) {
    super();
  }
}
