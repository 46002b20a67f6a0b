import { Controller, Delete, Param, UseGuards } from '@nestjs/common';
import { Bus } from '@app/cqrs';
import { ApiAnswer, Caller, orProblem, RequireCapability } from '@app/http';
import { ItemPins } from '../item-pins/item-pin.view';
import { PeopleGuard } from '../people.guard';
import { ReleasePins } from './release-pins.command';

@Controller('items')
@UseGuards(PeopleGuard)
export class ReleasePinsController {
  constructor(private readonly bus: Bus) {}

  @Delete(':collection/:id/pins')
  @RequireCapability('items:update')
  @ApiAnswer(ItemPins, { description: 'No pins are left' })
  async all(@Param('collection') collection: string, @Param('id') id: string, @Caller() caller: Caller) {
    return orProblem(await this.bus.send(new ReleasePins({ collection, id }, caller.context())));
  }

  @Delete(':collection/:id/pins/:field')
  @RequireCapability('items:update')
  @ApiAnswer(ItemPins, { description: 'The pins that are left' })
  async one(@Param('collection') collection: string, @Param('id') id: string, @Param('field') field: string, @Caller() caller: Caller) {
    return orProblem(await this.bus.send(new ReleasePins({ collection, id, field }, caller.context())));
  }
}
