import { Body, Controller, Delete, Get, Param, Patch, Post, Query } from '@nestjs/common';
import { Bus } from '@app/cqrs';
import { ApiAnswer, ApiList, Caller, listAnswer, ListQuery, MinPosition, orProblem, RequireCapability } from '@app/http';
import { z } from 'zod';
import { ChangeUser, ChangeUserBody } from './change-user/change-user.command';
import { InviteUser, InviteUserBody } from './invite-user/invite-user.command';
import { RemovedUser, RemoveUser } from './remove-user/remove-user.command';
import { GetUser, ListUsers } from './user-list/user-queries.query';
import { UserView } from './user-list/user.view';
import { USER_STATUSES } from './user.schema';

const UsersQuery = ListQuery.omit({ sort: true }).extend({ status: z.enum(USER_STATUSES).optional() });

@Controller('users')
export class UsersController {
  constructor(private readonly bus: Bus) {}

  @Get()
  @RequireCapability('users:read')
  @ApiList(UserView)
  async list(@Query({ schema: UsersQuery }) { limit, cursor, status }: z.infer<typeof UsersQuery>, @MinPosition() minPosition: bigint | undefined, @Caller() { siteId }: Caller) {
    return listAnswer(await this.bus.ask(new ListUsers(siteId, { limit, cursor, status, minPosition })));
  }

  @Post()
  @RequireCapability('users:write')
  @ApiAnswer(UserView, { status: 201 })
  async invite(@Body({ schema: InviteUserBody }) body: InviteUserBody, @Caller() caller: Caller) {
    return orProblem(await this.bus.send(new InviteUser(body, caller.principal, caller.context())));
  }

  @Get(':userId')
  @RequireCapability('users:read')
  @ApiAnswer(UserView)
  async get(@Param('userId') userId: string, @Caller() { siteId }: Caller) {
    return orProblem(await this.bus.ask(new GetUser(userId, siteId)));
  }

  @Patch(':userId')
  @RequireCapability('users:write')
  @ApiAnswer(UserView)
  async change(@Param('userId') userId: string, @Body({ schema: ChangeUserBody }) body: ChangeUserBody, @Caller() caller: Caller) {
    return orProblem(await this.bus.send(new ChangeUser(userId, body, caller.principal, caller.context())));
  }

  @Delete(':userId')
  @RequireCapability('users:delete')
  @ApiAnswer(RemovedUser)
  async remove(@Param('userId') userId: string, @Caller() caller: Caller) {
    return orProblem(await this.bus.send(new RemoveUser(userId, caller.principal, caller.context())));
  }
}
