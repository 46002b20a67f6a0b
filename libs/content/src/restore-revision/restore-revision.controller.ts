import { Controller, HttpCode, Param, Post, Res, UseGuards } from '@nestjs/common';
import { Bus } from '@app/cqrs';
import { ApiAnswer, Caller, IfMatch, orProblem, RequireCapability } from '@app/http';
import { missing } from '@app/kernel';
import type { FastifyReply } from 'fastify';
import { ItemView } from '../item-list/item.view';
import { PeopleAndServicesGuard } from '../people-and-services.guard';
import { versionedAnswer } from '../versioned-answer';
import { RestoreRevision } from './restore-revision.command';

/** A revision is a version of a stream; anything else in its place is no revision. */
const NUMBER = /^[1-9]\d{0,8}$/;

@Controller('items')
@UseGuards(PeopleAndServicesGuard)
export class RestoreRevisionController {
  constructor(private readonly bus: Bus) {}

  @Post(':collection/:id/revisions/:revision/restore')
  @HttpCode(200)
  @RequireCapability('items:write')
  @ApiAnswer(ItemView, { description: 'The item with the values of that revision' })
  async post(
    @Param('collection') collection: string,
    @Param('id') id: string,
    @Param('revision') revision: string,
    @IfMatch() ifMatch: number | undefined,
    @Caller() caller: Caller,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    if (!NUMBER.test(revision)) return orProblem(missing());
    return versionedAnswer(await this.bus.send(new RestoreRevision({ collection, id, revision: Number(revision), ifMatch }, caller.context())), reply);
  }
}
