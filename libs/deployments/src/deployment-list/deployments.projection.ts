import { projection } from '@app/projections/contract';
import type { DeploymentEvent } from '../deployment.events';
import { deployment, type Deployment } from '../deployment.state';

export type DeploymentRow = { readonly id: string; readonly siteId: string; readonly target: string; readonly status: string; readonly deployment: Deployment };

const next = (row: DeploymentRow | null, event: DeploymentEvent): DeploymentRow | null => {
  const state = deployment.evolve(row?.deployment ?? deployment.initial, event);
  if (state.status === 'none') return null;
  return { id: state.deploymentId, siteId: state.siteId, target: state.target, status: state.status, deployment: state };
};

/** Every deployment of a site, each as its stream folds. */
export const deployments = projection<DeploymentRow, DeploymentEvent>({
  name: 'deployments',
  version: 1,
  columns: { target: 'text', status: 'text', deployment: 'jsonb' },
  on: { DeploymentTriggered: next, DeploymentSucceeded: next, DeploymentFailed: next },
});
