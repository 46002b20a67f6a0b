import { Body, Controller, Post } from '@nestjs/common';
import { Bus } from '@app/cqrs';
import { ApiAnswer, Caller, OneTimeAnswer, orProblem } from '@app/http';
import { CreatedSite, CreateSite, CreateSiteBody } from './create-site.command';

@Controller('sites')
export class SitesController {
  constructor(private readonly bus: Bus) {}

  @Post()
  @ApiAnswer(CreatedSite, { status: 201 })
  @OneTimeAnswer('adminKey')
  async create(@Body({ schema: CreateSiteBody }) body: CreateSiteBody, @Caller() caller: Caller) {
    return orProblem(await this.bus.send(new CreateSite(body, caller.context(), caller.principal)));
  }
}
