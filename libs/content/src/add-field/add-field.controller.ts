import { Body, Controller, Param, Post, Res, UseGuards } from '@nestjs/common';
import { Bus } from '@app/cqrs';
import { ApiAnswer, Caller, IfMatch, RequireCapability } from '@app/http';
import type { FastifyReply } from 'fastify';
import { CollectionView } from '../collection-list/collection.view';
import { Field } from '../field.schema';
import { PeopleAndServicesGuard } from '../people-and-services.guard';
import { versionedAnswer } from '../versioned-answer';
import { AddField } from './add-field.command';

@Controller('collections')
@UseGuards(PeopleAndServicesGuard)
export class AddFieldController {
  constructor(private readonly bus: Bus) {}

  @Post(':name/fields')
  @RequireCapability('schema:update')
  @ApiAnswer(CollectionView, { status: 201, description: 'The collection with its new field' })
  async post(
    @Param('name') collection: string,
    @Body({ schema: Field }) field: Field,
    @IfMatch() ifMatch: number | undefined,
    @Caller() caller: Caller,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    return versionedAnswer(await this.bus.send(new AddField({ collection, field, ifMatch }, caller.context())), reply);
  }
}
