import { Module } from '@nestjs/common';
import { GetRoleHandler, ListRolesHandler } from './role-list/role-queries.handler';
import { RolesController } from './roles.controller';
import { ChangeRoleHandler, DefineRoleHandler, DisableRoleHandler } from './roles.handler';

@Module({ controllers: [RolesController], providers: [ListRolesHandler, GetRoleHandler, DefineRoleHandler, ChangeRoleHandler, DisableRoleHandler] })
export class RolesModule {}
