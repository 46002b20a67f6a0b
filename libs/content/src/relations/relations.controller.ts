import { Body, Controller, Delete, Get, Param, Post, UseGuards } from '@nestjs/common';
import { Bus } from '@app/cqrs';
import { ApiAnswer, Caller, orProblem, RequireCapability } from '@app/http';
import type { z } from 'zod';
import { PeopleAndServicesGuard } from '../people-and-services.guard';
import { Relation } from '../relation.schema';
import { CreateRelation, CreateRelationBody, DeleteRelation, GoneRelation, ListRelations, RelationViews } from './relation.command';

const NewRelation = CreateRelationBody.omit({ collection: true }).meta({ id: 'NewRelation' });

@Controller('collections')
export class RelationsController {
  constructor(private readonly bus: Bus) {}

  @Get(':name/relations')
  @RequireCapability('schema:read')
  @ApiAnswer(RelationViews, { description: 'The relations that the collection takes part in, on either side' })
  async get(@Param('name') collection: string, @Caller() { siteId }: Caller) {
    return orProblem(await this.bus.ask(new ListRelations({ collection }, { siteId })));
  }

  @Post(':name/relations')
  @UseGuards(PeopleAndServicesGuard)
  @RequireCapability('schema:create')
  @ApiAnswer(Relation, { status: 201, description: 'The new relation' })
  async post(@Param('name') collection: string, @Body({ schema: NewRelation }) body: z.infer<typeof NewRelation>, @Caller() caller: Caller) {
    return orProblem(await this.bus.send(new CreateRelation({ collection, ...body }, caller.context())));
  }

  @Delete(':name/relations/:relation')
  @UseGuards(PeopleAndServicesGuard)
  @RequireCapability('schema:delete')
  @ApiAnswer(GoneRelation, { description: 'The relation is gone; the values of its field stay' })
  async delete(@Param('name') collection: string, @Param('relation') name: string, @Caller() caller: Caller) {
    return orProblem(await this.bus.send(new DeleteRelation({ collection, name }, caller.context())));
  }
}
