import { Controller, Get, Param, Res } from '@nestjs/common';
import { Bus } from '@app/cqrs';
import { ApiAnswer, Caller, RequireCapability } from '@app/http';
import type { FastifyReply } from 'fastify';
import { CollectionView } from '../collection-list/collection.view';
import { versionedAnswer } from '../versioned-answer';
import { GetCollection } from './get-collection.query';

@Controller('collections')
export class GetCollectionController {
  constructor(private readonly bus: Bus) {}

  @Get(':name')
  @RequireCapability('schema:read')
  @ApiAnswer(CollectionView)
  async get(@Param('name') name: string, @Caller() { siteId }: Caller, @Res({ passthrough: true }) reply: FastifyReply) {
    return versionedAnswer(await this.bus.ask(new GetCollection({ name }, { siteId })), reply);
  }
}
