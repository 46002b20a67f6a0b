import { Body, Controller, Get, Param, Post, Query } from '@nestjs/common';
import { Bus } from '@app/cqrs';
import { ApiAnswer, ApiList, Caller, listAnswer, ListQuery, MinPosition, orProblem, RequireCapability } from '@app/http';
import type { z } from 'zod';
import { DeploymentFilter, GetDeployment, ListDeployments, ListDeploymentTargets } from './deployment-list/deployment-queries.query';
import { DeploymentTargetView, DeploymentView } from './deployment-list/deployment.view';
import { TriggerDeployment, TriggerDeploymentBody } from './trigger-deployment/trigger-deployment.command';

const TargetsQuery = ListQuery.omit({ sort: true });
const DeploymentsQuery = TargetsQuery.extend(DeploymentFilter.shape);

@Controller('deployments')
export class DeploymentsController {
  constructor(private readonly bus: Bus) {}

  @Get('targets')
  @RequireCapability('deployments:read')
  @ApiList(DeploymentTargetView)
  async targets(@Query({ schema: TargetsQuery }) { limit, cursor }: z.infer<typeof TargetsQuery>, @Caller() { siteId }: Caller) {
    return listAnswer(await this.bus.ask(new ListDeploymentTargets(siteId, { limit, cursor })));
  }

  @Get()
  @RequireCapability('deployments:read')
  @ApiList(DeploymentView, { description: 'Deployments of the site, newest first' })
  async list(@Query({ schema: DeploymentsQuery }) { limit, cursor, target, status }: z.infer<typeof DeploymentsQuery>, @MinPosition() minPosition: bigint | undefined, @Caller() { siteId }: Caller) {
    return listAnswer(await this.bus.ask(new ListDeployments(siteId, { limit, cursor, target, status, minPosition })));
  }

  @Post()
  @RequireCapability('deployments:write')
  @ApiAnswer(DeploymentView, { status: 201 })
  async trigger(@Body({ schema: TriggerDeploymentBody }) body: TriggerDeploymentBody, @Caller() caller: Caller) {
    return orProblem(await this.bus.send(new TriggerDeployment(body, caller.context())));
  }

  @Get(':deploymentId')
  @RequireCapability('deployments:read')
  @ApiAnswer(DeploymentView)
  async get(@Param('deploymentId') deploymentId: string, @Caller() { siteId }: Caller) {
    return orProblem(await this.bus.ask(new GetDeployment(deploymentId, siteId)));
  }
}
