import { Body, Controller, Delete, Param, Patch, Res, UseGuards } from '@nestjs/common';
import { Bus } from '@app/cqrs';
import { ApiAnswer, Caller, IfMatch, orProblem, RequireCapability } from '@app/http';
import type { FastifyReply } from 'fastify';
import type { z } from 'zod';
import { CollectionView } from '../collection-list/collection.view';
import { PeopleAndServicesGuard } from '../people-and-services.guard';
import { versionedAnswer } from '../versioned-answer';
import { DeleteCollection, GoneCollection, UpdateCollection, UpdateCollectionBody } from './change-collection.command';

const CollectionChange = UpdateCollectionBody.pick({ description: true }).meta({ id: 'CollectionChange' });

@Controller('collections')
@UseGuards(PeopleAndServicesGuard)
export class ChangeCollectionController {
  constructor(private readonly bus: Bus) {}

  @Patch(':name')
  @RequireCapability('schema:update')
  @ApiAnswer(CollectionView, { description: 'The collection with its changes' })
  async patch(
    @Param('name') name: string,
    @Body({ schema: CollectionChange }) { description }: z.infer<typeof CollectionChange>,
    @IfMatch() ifMatch: number | undefined,
    @Caller() caller: Caller,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    return versionedAnswer(await this.bus.send(new UpdateCollection({ name, description, ifMatch }, caller.context())), reply);
  }

  @Delete(':name')
  @RequireCapability('schema:delete')
  @ApiAnswer(GoneCollection, { description: 'The collection and its items are gone, for ever' })
  async delete(@Param('name') name: string, @IfMatch() ifMatch: number | undefined, @Caller() caller: Caller) {
    return orProblem(await this.bus.send(new DeleteCollection({ name, ifMatch }, caller.context())));
  }
}
