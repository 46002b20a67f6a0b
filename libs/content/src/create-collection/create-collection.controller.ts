import { Body, Controller, Post, Res, UseGuards } from '@nestjs/common';
import { Bus } from '@app/cqrs';
import { ApiAnswer, Caller, RequireCapability } from '@app/http';
import type { FastifyReply } from 'fastify';
import { CollectionView } from '../collection-list/collection.view';
import { PeopleAndServicesGuard } from '../people-and-services.guard';
import { versionedAnswer } from '../versioned-answer';
import { CreateCollection, CreateCollectionBody } from './create-collection.command';

@Controller('collections')
@UseGuards(PeopleAndServicesGuard)
export class CreateCollectionController {
  constructor(private readonly bus: Bus) {}

  @Post()
  @RequireCapability('schema:create')
  @ApiAnswer(CollectionView, { status: 201, description: 'The new collection' })
  async post(
    @Body({ schema: CreateCollectionBody }) body: CreateCollectionBody,
    @Caller() caller: Caller,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    return versionedAnswer(await this.bus.send(new CreateCollection(body, caller.context())), reply);
  }
}
