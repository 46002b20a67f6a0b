import { Controller, Get, Param, Res } from '@nestjs/common';
import { Bus } from '@app/cqrs';
import { ApiAnswer, Caller, RequireCapability } from '@app/http';
import type { FastifyReply } from 'fastify';
import { ItemView } from '../item-list/item.view';
import { versionedAnswer } from '../versioned-answer';
import { GetItem } from './get-item.query';

@Controller('items')
export class GetItemController {
  constructor(private readonly bus: Bus) {}

  @Get(':collection/:id')
  @RequireCapability('items:read')
  @ApiAnswer(ItemView)
  async get(
    @Param('collection') collection: string,
    @Param('id') id: string,
    @Caller() { siteId }: Caller,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    return versionedAnswer(await this.bus.ask(new GetItem({ collection, id }, { siteId })), reply);
  }
}
