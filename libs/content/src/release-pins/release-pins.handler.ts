import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Outcome } from '@app/kernel';
import { pinsAnswer, type ItemPins } from '../item-pins/item-pin.view';
import { ItemWriter } from '../item-writer';
import { ReleasePins } from './release-pins.command';
import { decideReleasePins } from './release-pins.decide';

@CommandHandler(ReleasePins)
export class ReleasePinsHandler implements ICommandHandler<ReleasePins> {
  constructor(private readonly items: ItemWriter) {}

  async execute({ target, context }: ReleasePins): Promise<Outcome<ItemPins>> {
    const written = await this.items.write(target, context, ({ item }, version) => decideReleasePins(item, version, target, context));
    return written.ok ? { ok: true, data: pinsAnswer(written.data.item), position: written.position } : written;
  }
}
