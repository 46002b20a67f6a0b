import { governance, type Governance, type GovernanceEvent } from '@app/governance/contract';
import type { DeploymentEvent } from './deployment.events';

export const DEPLOYMENT = 'dep_01a22c4612f5712dac4379ec3ad00071';
export const AT = '2030-01-01T10:00:00.000Z';

const target = { name: 'production', url: 'https://hooks.example/deploy/secret://deploy-key', auth: 'secret://deploy-token' };
export const site = (...more: readonly GovernanceEvent[]): Governance =>
  ([{ type: 'SiteCreated', data: { siteId: 'site_a', name: 'A' } }, { type: 'SettingsChanged', data: { changes: { deployments: { targets: [target] } } } }, ...more] satisfies GovernanceEvent[])
    .reduce(governance.evolve, governance.initial);

type Triggered = Extract<DeploymentEvent, { type: 'DeploymentTriggered' }>['data'];
export const triggered = (overrides: Partial<Triggered> = {}): DeploymentEvent => ({
  type: 'DeploymentTriggered',
  data: {
    deploymentId: DEPLOYMENT, siteId: 'site_a', target: 'production', hook: { url: target.url, method: 'POST' }, reason: 'Release 7', parameters: { ref: 'v7' }, triggeredBy: 'key_ada', runId: null, at: AT,
    ...overrides,
  },
});
export const succeeded: DeploymentEvent = { type: 'DeploymentSucceeded', data: { answer: '{"build":7}', durationMs: 120, at: AT } };
export const failed: DeploymentEvent = { type: 'DeploymentFailed', data: { code: 'UPSTREAM_STATUS', reason: 'https://hooks.example answered 500.', durationMs: 80, at: AT } };
