import { Module } from '@nestjs/common';
import { AgentDecideController } from './agent-decide/agent-decide.controller';
import { AgentDecideHandler } from './agent-decide/agent-decide.handler';

@Module({ controllers: [AgentDecideController], providers: [AgentDecideHandler] })
export class AgentReviewModule {}
