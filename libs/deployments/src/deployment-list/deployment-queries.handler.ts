import { QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { Executor } from '@app/event-store';
import { governance } from '@app/governance/contract';
import { missing, type Outcome } from '@app/kernel';
import { equalTo, ReadModels } from '@app/projections';
import { deployment } from '../deployment.state';
import { GetDeployment, ListDeployments, ListDeploymentTargets } from './deployment-queries.query';
import { deploymentView, type DeploymentView } from './deployment.view';
import { deployments } from './deployments.projection';

@QueryHandler(ListDeployments)
export class ListDeploymentsHandler implements IQueryHandler<ListDeployments> {
  constructor(private readonly reads: ReadModels) {}

  /** The newest first. */
  async execute({ siteId, page: { limit, cursor, minPosition, ...equal } }: ListDeployments) {
    if (minPosition !== undefined) await this.reads.reached(deployments, minPosition);
    const sort = { field: 'id', direction: 'desc' } as const;
    const page = await this.reads.list(deployments, { siteId, limit, sort, where: equalTo(equal), ...(cursor !== undefined && { cursor }) });
    return { ...page, rows: page.rows.flatMap(({ deployment: state }) => (state.status === 'none' ? [] : [deploymentView(state)])) };
  }
}

@QueryHandler(GetDeployment)
export class GetDeploymentHandler implements IQueryHandler<GetDeployment> {
  constructor(private readonly executor: Executor) {}

  /** From the log, so that a deployment can be looked at as soon as it was triggered. */
  async execute({ deploymentId, siteId }: GetDeployment): Promise<Outcome<DeploymentView>> {
    const { state, position } = await this.executor.current(deployment, deploymentId);
    return state.status === 'none' || state.siteId !== siteId ? missing() : { ok: true, data: deploymentView(state), position };
  }
}

@QueryHandler(ListDeploymentTargets)
export class ListDeploymentTargetsHandler implements IQueryHandler<ListDeploymentTargets> {
  constructor(private readonly executor: Executor) {}

  /** From the settings in force, by name; the cursor is the last name. */
  async execute({ siteId, page: { limit, cursor = '' } }: ListDeploymentTargets) {
    const { state, position } = await this.executor.current(governance, siteId);
    const targets = state.status === 'none' ? [] : (state.settings.deployments?.targets ?? []);
    const sorted = targets.filter(({ name }) => name > cursor).toSorted((a, b) => (a.name < b.name ? -1 : 1));
    const rows = sorted.slice(0, limit).map(({ name, url, method = 'POST', auth = null }) => ({ name, url, method, auth }));
    return { rows, nextCursor: sorted.length > limit ? rows.at(-1)!.name : null, position };
  }
}
