import { Controller, Get, Param, Query, Res } from '@nestjs/common';
import { Bus } from '@app/cqrs';
import { ApiAnswer, booleanParam, Caller, ReadQuery, RequireCapability } from '@app/http';
import type { FastifyReply } from 'fastify';
import type { z } from 'zod';
import { ItemView } from '../item-list/item.view';
import { versionedAnswer } from '../versioned-answer';
import { GetItem } from './get-item.query';

const ItemQuery = ReadQuery.extend({ provenance: booleanParam.optional() });

@Controller('items')
export class GetItemController {
  constructor(private readonly bus: Bus) {}

  @Get(':collection/:id')
  @RequireCapability('items:read')
  @ApiAnswer(ItemView)
  async get(
    @Param('collection') collection: string,
    @Param('id') id: string,
    @Query({ schema: ItemQuery }) { provenance }: z.infer<typeof ItemQuery>,
    @Caller() { siteId }: Caller,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    return versionedAnswer(await this.bus.ask(new GetItem({ collection, id, provenance }, { siteId })), reply);
  }
}
