import { Controller, Get, Param } from '@nestjs/common';
import { Bus } from '@app/cqrs';
import { ApiAnswer, Caller, orProblem, RequireCapability } from '@app/http';
import { GetPins } from './get-pins.query';
import { ItemPins } from './item-pin.view';

@Controller('items')
export class GetPinsController {
  constructor(private readonly bus: Bus) {}

  @Get(':collection/:id/pins')
  @RequireCapability('items:read')
  @ApiAnswer(ItemPins)
  async get(@Param('collection') collection: string, @Param('id') id: string, @Caller() { siteId }: Caller) {
    return orProblem(await this.bus.ask(new GetPins({ collection, id }, { siteId })));
  }
}
