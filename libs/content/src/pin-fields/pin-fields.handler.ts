import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Outcome } from '@app/kernel';
import { pinsAnswer, type ItemPins } from '../item-pins/item-pin.view';
import { ItemWriter } from '../item-writer';
import { decidePinFields } from './pin-fields.decide';
import { PinFields } from './pin-fields.command';

@CommandHandler(PinFields)
export class PinFieldsHandler implements ICommandHandler<PinFields> {
  constructor(private readonly items: ItemWriter) {}

  async execute({ target, body, context }: PinFields): Promise<Outcome<ItemPins>> {
    const written = await this.items.write(target, context, (states, version) =>
      decidePinFields(states, version, { collection: target.collection, ...body }, context),
    );
    return written.ok ? { ok: true, data: pinsAnswer(written.data.item), position: written.position } : written;
  }
}
