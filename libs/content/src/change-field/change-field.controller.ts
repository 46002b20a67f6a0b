import { Body, Controller, Delete, Param, Patch, Res, UseGuards } from '@nestjs/common';
import { Bus } from '@app/cqrs';
import { ApiAnswer, Caller, IfMatch, RequireCapability } from '@app/http';
import type { FastifyReply } from 'fastify';
import type { z } from 'zod';
import { CollectionView } from '../collection-list/collection.view';
import { PeopleAndServicesGuard } from '../people-and-services.guard';
import { versionedAnswer } from '../versioned-answer';
import { DeleteField, UpdateField, UpdateFieldBody } from './change-field.command';

const FieldChanges = UpdateFieldBody.pick({ required: true, constraints: true }).meta({ id: 'FieldChanges' });

@Controller('collections')
@UseGuards(PeopleAndServicesGuard)
export class ChangeFieldController {
  constructor(private readonly bus: Bus) {}

  @Patch(':name/fields/:field')
  @RequireCapability('schema:update')
  @ApiAnswer(CollectionView, { description: 'The collection with the changed field' })
  async patch(
    @Param('name') collection: string,
    @Param('field') field: string,
    @Body({ schema: FieldChanges }) changes: z.infer<typeof FieldChanges>,
    @IfMatch() ifMatch: number | undefined,
    @Caller() caller: Caller,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    return versionedAnswer(await this.bus.send(new UpdateField({ collection, field, ...changes, ifMatch }, caller.context())), reply);
  }

  @Delete(':name/fields/:field')
  @RequireCapability('schema:delete')
  @ApiAnswer(CollectionView, { description: 'The collection without the field' })
  async delete(
    @Param('name') collection: string,
    @Param('field') field: string,
    @IfMatch() ifMatch: number | undefined,
    @Caller() caller: Caller,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    return versionedAnswer(await this.bus.send(new DeleteField({ collection, field, ifMatch }, caller.context())), reply);
  }
}
