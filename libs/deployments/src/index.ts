export { deploymentEvents } from './deployment.events';
export { deployments } from './deployment-list/deployments.projection';
export { DeploymentsModule } from './deployments.module';
export { giveUpDeployment } from './give-up-deployment/give-up-deployment';
export { DeployHook } from './trigger-deployment/deploy-hook';
export { HttpDeployHook } from './trigger-deployment/http-deploy-hook';
