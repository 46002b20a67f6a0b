import { Module } from '@nestjs/common';
import { GetDeploymentHandler, ListDeploymentsHandler, ListDeploymentTargetsHandler } from './deployment-list/deployment-queries.handler';
import { DeploymentsController } from './deployments.controller';
import { TriggerDeploymentHandler } from './trigger-deployment/trigger-deployment.handler';

@Module({ controllers: [DeploymentsController], providers: [TriggerDeploymentHandler, ListDeploymentsHandler, GetDeploymentHandler, ListDeploymentTargetsHandler] })
export class DeploymentsModule {}
