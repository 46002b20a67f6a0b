import { Body, Controller, HttpCode, Param, Post, UseGuards } from '@nestjs/common';
import { Bus } from '@app/cqrs';
import { ApiAnswer, Caller, orProblem, RequireCapability } from '@app/http';
import { ItemPins } from '../item-pins/item-pin.view';
import { PeopleGuard } from '../people.guard';
import { PinFields, PinFieldsBody } from './pin-fields.command';

@Controller('items')
@UseGuards(PeopleGuard)
export class PinFieldsController {
  constructor(private readonly bus: Bus) {}

  @Post(':collection/:id/pins')
  @HttpCode(200)
  @RequireCapability('items:update')
  @ApiAnswer(ItemPins, { description: 'All pins of the item' })
  async post(
    @Param('collection') collection: string,
    @Param('id') id: string,
    @Body({ schema: PinFieldsBody }) body: PinFieldsBody,
    @Caller() caller: Caller,
  ) {
    return orProblem(await this.bus.send(new PinFields({ collection, id }, body, caller.context())));
  }
}
