import { freezeOf, type Governance } from '@app/governance/contract';
import { accept, missing, reject, type Context, type Decision } from '@app/kernel';
import { maskSecrets } from '@app/vault/contract';
import type { DeploymentEvent } from '../deployment.events';
import type { Deployment } from '../deployment.state';
import type { TriggerDeploymentBody } from './trigger-deployment.command';

/** Begins a deployment of a target that the site has now, or tries one again that failed. An agent comes through the door, where a person decides; a freeze of the site holds for people, too. */
export const triggerDeployment = (
  { deployment, governance }: { readonly deployment: Deployment; readonly governance: Governance },
  { target: name, reason, parameters = {} }: TriggerDeploymentBody,
  deploymentId: string,
  { siteId, now, actor, runId }: Pick<Context, 'siteId' | 'now' | 'actor' | 'runId'>,
): Decision<{ readonly deployment: readonly DeploymentEvent[] }> => {
  if (governance.status === 'none') return missing();
  if (actor.kind === 'agent' && runId === undefined) return reject('forbidden', 'FORBIDDEN', 'An agent asks for this on a run, by the tool triggerDeployment.', { tool: 'triggerDeployment' });
  if (deployment.status === 'triggered' || deployment.status === 'succeeded') return accept({ deployment: [] });
  const freeze = freezeOf(governance, { agentRole: actor.role });
  if (freeze) return reject('frozen', 'FROZEN', 'Nothing is deployed until somebody lifts the freeze.', { freezeId: freeze.freezeId, scope: freeze.scope });
  const { targets = [] } = governance.settings.deployments ?? {};
  const target = targets.find((each) => each.name === name);
  if (!target) {
    const known = targets.length === 0 ? 'This site has none; an admin sets them with PUT /api/v1/settings, deployments.targets.' : `Known are ${targets.map((each) => each.name).join(', ')}.`;
    return reject('invalid', 'VALIDATION_FAILED', `There is no deployment target of this name. ${known}`, { errors: [{ pointer: '/target', detail: 'Not a deployment target of this site' }] });
  }
  const hook = { url: target.url, method: target.method ?? 'POST' };
  const { masked } = maskSecrets({ reason: reason ?? null, parameters });
  return accept({ deployment: [{ type: 'DeploymentTriggered', data: { deploymentId, siteId, target: name, hook, ...masked, triggeredBy: actor.id, runId: runId ?? null, at: now.toISOString() } }] });
};
