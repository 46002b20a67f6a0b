import { Module } from '@nestjs/common';
import { ActivityController } from './activity.controller';
import { ListActivityHandler } from './list-activity.handler';

@Module({ controllers: [ActivityController], providers: [ListActivityHandler] })
export class ActivityModule {}
