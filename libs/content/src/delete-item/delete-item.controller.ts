import { Controller, Delete, Param, UseGuards } from '@nestjs/common';
import { Bus } from '@app/cqrs';
import { ApiAnswer, Caller, IfMatch, orProblem, RequireCapability } from '@app/http';
import { PeopleAndServicesGuard } from '../people-and-services.guard';
import { DeletedItem, DeleteItem } from './delete-item.command';

@Controller('items')
@UseGuards(PeopleAndServicesGuard)
export class DeleteItemController {
  constructor(private readonly bus: Bus) {}

  @Delete(':collection/:id')
  @RequireCapability('items:delete')
  @ApiAnswer(DeletedItem, { description: 'The item is gone; its revisions stay' })
  async delete(
    @Param('collection') collection: string,
    @Param('id') id: string,
    @IfMatch() ifMatch: number | undefined,
    @Caller() caller: Caller,
  ) {
    return orProblem(await this.bus.send(new DeleteItem({ collection, id, ifMatch }, caller.context())));
  }
}
