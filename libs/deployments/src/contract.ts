export { DeploymentFilter, GetDeployment, ListDeployments, ListDeploymentTargets } from './deployment-list/deployment-queries.query';
export { DeploymentTargetView, DeploymentView } from './deployment-list/deployment.view';
export { deploymentEvents, type DeploymentEvent } from './deployment.events';
export { deployment, type Deployment } from './deployment.state';
export { deploymentDeadlines } from './give-up-deployment/deployment-deadlines.process';
export { TriggerDeployment, TriggerDeploymentBody } from './trigger-deployment/trigger-deployment.command';
