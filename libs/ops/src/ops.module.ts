import { Module } from '@nestjs/common';
import { DeadLetterDesk } from './dead-letter-desk';
import { DeadLettersController } from './dead-letters.controller';
import { HealthController } from './health.controller';
import { ParkedEventsController } from './parked-events.controller';
import { ProjectionsController } from './projections.controller';
import { QueuesController } from './queues.controller';

@Module({ controllers: [ProjectionsController, QueuesController, DeadLettersController, ParkedEventsController, HealthController], providers: [DeadLetterDesk] })
export class OpsModule {}
