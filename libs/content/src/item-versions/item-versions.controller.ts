import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Res, UseGuards } from '@nestjs/common';
import { Bus } from '@app/cqrs';
import { ApiAnswer, Caller, IfMatch, orProblem, RequireCapability } from '@app/http';
import type { FastifyReply } from 'fastify';
import type { z } from 'zod';
import { ItemView } from '../item-list/item.view';
import { PeopleAndServicesGuard } from '../people-and-services.guard';
import { versionedAnswer } from '../versioned-answer';
import { CompareVersion, CreateVersion, CreateVersionBody, DeleteVersion, ListVersions, PromoteVersion, UpdateVersion, UpdateVersionBody } from './item-version.command';
import { GoneVersion, ItemVersionViews, VersionComparison, WrittenVersionView } from './item-version.view';

const NewVersion = CreateVersionBody.pick({ name: true, data: true }).meta({ id: 'NewItemVersion' });
const VersionChange = UpdateVersionBody.pick({ data: true }).meta({ id: 'ItemVersionChange' });
const ONE = ':collection/:id/versions/:version';

@Controller('items')
export class ItemVersionsController {
  constructor(private readonly bus: Bus) {}

  @Get(':collection/:id/versions')
  @RequireCapability('items:read')
  @ApiAnswer(ItemVersionViews, { description: 'The open versions of the item' })
  async list(@Param('collection') collection: string, @Param('id') id: string, @Caller() { siteId }: Caller) {
    return orProblem(await this.bus.ask(new ListVersions({ collection, id }, { siteId })));
  }

  @Get(`${ONE}/compare`)
  @RequireCapability('items:read')
  @ApiAnswer(VersionComparison, { description: 'What promoting the version would change now' })
  async compare(@Param('collection') collection: string, @Param('id') id: string, @Param('version') name: string, @Caller() { siteId }: Caller) {
    return orProblem(await this.bus.ask(new CompareVersion({ collection, id, name }, { siteId })));
  }

  @Post(':collection/:id/versions')
  @UseGuards(PeopleAndServicesGuard)
  @RequireCapability('items:write')
  @ApiAnswer(WrittenVersionView, { status: 201, description: 'The new version' })
  async create(
    @Param('collection') collection: string, @Param('id') id: string, @Body({ schema: NewVersion }) body: z.infer<typeof NewVersion>,
    @IfMatch() ifMatch: number | undefined, @Caller() caller: Caller, @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    return versionedAnswer(await this.bus.send(new CreateVersion({ collection, id, ...body, ifMatch }, caller.context())), reply);
  }

  @Patch(ONE)
  @UseGuards(PeopleAndServicesGuard)
  @RequireCapability('items:write')
  @ApiAnswer(WrittenVersionView, { description: 'The version with its changes' })
  async update(
    @Param('collection') collection: string, @Param('id') id: string, @Param('version') name: string, @Body({ schema: VersionChange }) { data }: z.infer<typeof VersionChange>,
    @IfMatch() ifMatch: number | undefined, @Caller() caller: Caller, @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    return versionedAnswer(await this.bus.send(new UpdateVersion({ collection, id, name, data, ifMatch }, caller.context())), reply);
  }

  @Post(`${ONE}/promote`)
  @HttpCode(200)
  @UseGuards(PeopleAndServicesGuard)
  @RequireCapability('items:write')
  @ApiAnswer(ItemView, { description: 'The item with what the version held' })
  async promote(
    @Param('collection') collection: string, @Param('id') id: string, @Param('version') name: string,
    @IfMatch() ifMatch: number | undefined, @Caller() caller: Caller, @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    return versionedAnswer(await this.bus.send(new PromoteVersion({ collection, id, name, ifMatch }, caller.context())), reply);
  }

  @Delete(ONE)
  @UseGuards(PeopleAndServicesGuard)
  @RequireCapability('items:write')
  @ApiAnswer(GoneVersion, { description: 'The version is gone; nothing of it was live' })
  async delete(
    @Param('collection') collection: string, @Param('id') id: string, @Param('version') name: string, @IfMatch() ifMatch: number | undefined, @Caller() caller: Caller,
  ) {
    return orProblem(await this.bus.send(new DeleteVersion({ collection, id, name, ifMatch }, caller.context())));
  }
}
