import type { Recorded } from '@app/kernel';
import type { DeploymentEvent } from '../deployment.events';

/** Longer than any hook may take, and any process that is told to stop. */
const GIVE_UP_AFTER_MS = 5 * 60_000;

/** A deployment whose process ended before it heard of an outcome must not stay open for ever. */
export const deploymentDeadlines = ({ streamId, type, data }: Recorded<DeploymentEvent>) => {
  const deploymentId = streamId.slice('deployment-'.length);
  if (type !== 'DeploymentTriggered') return [{ clear: deploymentId }];
  return [{ set: deploymentId, at: new Date(Date.parse(data.at) + GIVE_UP_AFTER_MS).toISOString(), topic: 'outcome' }];
};
