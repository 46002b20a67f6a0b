import { Body, Controller, Delete, Get, Param, Post, Put, Query } from '@nestjs/common';
import { Bus } from '@app/cqrs';
import { ApiAnswer, ApiList, Caller, listAnswer, ListQuery, orProblem, RequireRole } from '@app/http';
import { z } from 'zod';
import { ChangeRole, ChangeRoleBody } from './change-role/change-role.command';
import { DefineRole, DefineRoleBody } from './define-role/define-role.command';
import { DisableRole } from './disable-role/disable-role.command';
import { GetRole, ListRoles } from './role-list/role-queries.query';
import { RoleView } from './role-list/role.view';

const RolesQuery = ListQuery.omit({ sort: true });

@Controller('agent/roles')
@RequireRole('admin')
export class RolesController {
  constructor(private readonly bus: Bus) {}

  @Get()
  @ApiList(RoleView)
  async list(@Query({ schema: RolesQuery }) { limit, cursor }: z.infer<typeof RolesQuery>, @Caller() { siteId }: Caller) {
    return listAnswer(await this.bus.ask(new ListRoles(siteId, { limit, cursor })));
  }

  @Get(':name')
  @ApiAnswer(RoleView)
  async get(@Param('name') name: string, @Caller() { siteId }: Caller) {
    return orProblem(await this.bus.ask(new GetRole(siteId, name)));
  }

  @Post()
  @ApiAnswer(RoleView, { status: 201 })
  async define(@Body({ schema: DefineRoleBody }) body: DefineRoleBody, @Caller() caller: Caller) {
    return orProblem(await this.bus.send(new DefineRole(body, caller.context())));
  }

  @Put(':name')
  @ApiAnswer(RoleView)
  async change(@Param('name') name: string, @Body({ schema: ChangeRoleBody }) body: ChangeRoleBody, @Caller() caller: Caller) {
    return orProblem(await this.bus.send(new ChangeRole(name, body, caller.context())));
  }

  @Delete(':name')
  @ApiAnswer(RoleView)
  async disable(@Param('name') name: string, @Caller() caller: Caller) {
    return orProblem(await this.bus.send(new DisableRole(name, caller.context())));
  }
}
