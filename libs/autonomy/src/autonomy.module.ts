import { Module } from '@nestjs/common';
import { ListLevelChangesHandler } from './autonomy-history/list-level-changes.handler';
import { AutonomyController } from './autonomy.controller';
import { GetAutonomyHandler } from './autonomy-view/get-autonomy.handler';
import { GrantAutonomyHandler } from './grant-autonomy/grant-autonomy.handler';

@Module({ controllers: [AutonomyController], providers: [GetAutonomyHandler, ListLevelChangesHandler, GrantAutonomyHandler] })
export class AutonomyModule {}
