import { Body, Controller, Param, Patch, Res, UseGuards } from '@nestjs/common';
import { Bus } from '@app/cqrs';
import { ApiAnswer, Caller, IfMatch, RequireCapability } from '@app/http';
import type { FastifyReply } from 'fastify';
import type { z } from 'zod';
import { ItemView } from '../item-list/item.view';
import { PeopleAndServicesGuard } from '../people-and-services.guard';
import { versionedAnswer } from '../versioned-answer';
import { UpdateItem, UpdateItemBody } from './update-item.command';

const ItemPatch = UpdateItemBody.pick({ data: true, provenance: true }).meta({ id: 'ItemPatch' });

@Controller('items')
@UseGuards(PeopleAndServicesGuard)
export class UpdateItemController {
  constructor(private readonly bus: Bus) {}

  @Patch(':collection/:id')
  @RequireCapability('items:update')
  @ApiAnswer(ItemView, { description: 'The item with its changes' })
  async patch(
    @Param('collection') collection: string,
    @Param('id') id: string,
    @Body({ schema: ItemPatch }) { data, provenance }: z.infer<typeof ItemPatch>,
    @IfMatch() ifMatch: number | undefined,
    @Caller() caller: Caller,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    return versionedAnswer(await this.bus.send(new UpdateItem({ collection, id, data, provenance, ifMatch }, caller.context())), reply);
  }
}
