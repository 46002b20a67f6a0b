import { Module } from '@nestjs/common';
import { HealthController } from './health.controller';
import { ProjectionsController } from './projections.controller';
import { QueuesController } from './queues.controller';

@Module({ controllers: [ProjectionsController, QueuesController, HealthController] })
export class OpsModule {}
