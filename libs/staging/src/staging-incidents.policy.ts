import type { StagedChange } from './staging.state';

/** The role and the capability whose trust an incident is about. */
const concerned = ({ agentRole, capability, runId }: StagedChange) => ({ agentRole, capability, runId });

/** Somebody had to stop the agent: its role loses trust on the capability. */
export const vetoIncident = (change: StagedChange, reason: string | undefined) => ({
  source: 'veto' as const, severity: 'medium' as const, ...concerned(change),
  detail: `A change of ${change.itemId} in ${change.collection} was vetoed${reason === undefined ? '.' : `: ${reason}`}`,
});

/** Nobody is to blame for a commit that does not go through, so it names no role: nothing is demoted. */
export const commitFailureIncident = ({ itemId, collection, runId }: StagedChange, error: string) => ({
  source: 'commit_failure' as const, severity: 'medium' as const, agentRole: null, capability: null, runId,
  detail: `The staged change of ${itemId} in ${collection} could not be committed: ${error}`,
});
