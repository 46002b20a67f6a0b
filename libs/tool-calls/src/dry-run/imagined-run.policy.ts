import type { Site } from '@app/governance/contract';
import type { Principal } from '@app/kernel';
import { Budget, NO_CALLS, NOTHING_SPENT, type LiveRun } from '@app/runs/contract';

/** The run that a principal would open now, with everything left as it comes. */
export const imaginedRun = (site: Site, { id, name, capabilities, agentRole: own }: Principal, role: string | undefined): LiveRun => {
  const agentRole = role ?? own;
  const ids = { runId: 'run_imagined', goalId: 'goal_imagined', agentName: name, ...(agentRole !== undefined && { agentRole }) };
  return {
    ...ids, kind: 'external', status: 'running', cancelRequested: false, spent: NOTHING_SPENT, calls: NO_CALLS, version: 2, approvals: [],
    envelope: {
      ...ids, context: { siteId: site.siteId, collections: [], policySnapshotHash: '' }, budget: Budget.parse(site.settings.budget), risk: 'safe', approvalPolicy: 'none',
      artifacts: [], capabilities: [...capabilities], principalId: id,
    },
  };
};
