import { Module } from '@nestjs/common';
import { HealthController } from './health.controller';
import { ProjectionsController } from './projections.controller';

@Module({ controllers: [ProjectionsController, HealthController] })
export class OpsModule {}
