import { Body, Controller, Param, Post, Res, UseGuards } from '@nestjs/common';
import { Bus } from '@app/cqrs';
import { ApiAnswer, Caller, RequireCapability } from '@app/http';
import type { FastifyReply } from 'fastify';
import type { z } from 'zod';
import { ItemView } from '../item-list/item.view';
import { PeopleAndServicesGuard } from '../people-and-services.guard';
import { versionedAnswer } from '../versioned-answer';
import { CreateItem, CreateItemBody } from './create-item.command';

const NewItem = CreateItemBody.pick({ data: true, provenance: true }).meta({ id: 'NewItem' });

@Controller('items')
@UseGuards(PeopleAndServicesGuard)
export class CreateItemController {
  constructor(private readonly bus: Bus) {}

  @Post(':collection')
  @RequireCapability('items:write')
  @ApiAnswer(ItemView, { status: 201, description: 'The new item' })
  async post(
    @Param('collection') collection: string,
    @Body({ schema: NewItem }) { data, provenance }: z.infer<typeof NewItem>,
    @Caller() caller: Caller,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    return versionedAnswer(await this.bus.send(new CreateItem({ collection, data, provenance }, caller.context())), reply);
  }
}
