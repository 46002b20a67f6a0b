import { freezeOf, type Governance } from '@app/governance/contract';
import { accept, missing, reject, type Context, type Decision, type Principal } from '@app/kernel';
import { Budget, type Envelope, type Run, type RunEvent } from '@app/runs/contract';
import type { GoalEvent } from '../goal.events';
import type { Goal } from '../goal.state';
import type { StartGoalBody } from './start-goal.command';

type States = { readonly goal: Goal; readonly run: Run; readonly governance: Governance };
type Events = { readonly goal: readonly GoalEvent[]; readonly run: readonly RunEvent[] };

/**
 * Opens the run of an open goal: of two agents exactly one gets it. What the goal says bounds the run, and the capabilities are those of
 * whoever takes it up.
 */
export const startGoal = (
  { goal, run, governance }: States,
  { agentName, approvalPolicy, model, provider }: StartGoalBody,
  principal: Principal,
  runId: string,
  policySnapshotHash: string,
  { siteId }: Pick<Context, 'siteId'>,
  /** The run that made this goal a part of its own. */
  parentRunId?: string,
): Decision<Events> => {
  if (governance.status === 'none' || goal.status === 'none') return missing();
  if (run.status !== 'none') return accept({ goal: [], run: [] });
  if (goal.status !== 'open') return reject('conflict', 'CONFLICT', `Nobody can take this goal up: it is ${goal.status}.`, { goalStatus: goal.status, runId: goal.runId });
  const { goalId, intentId, autonomyCap, budget } = goal;
  const agentRole = goal.agentRole ?? principal.agentRole;
  if (principal.agentRole !== undefined && agentRole !== principal.agentRole) {
    return reject('forbidden', 'FORBIDDEN', `This goal is for ${agentRole}, and this key works as ${principal.agentRole} and as nobody else.`, { agentRole: principal.agentRole });
  }
  const freeze = freezeOf(governance, { agentRole, intentId });
  if (freeze) return reject('frozen', 'FROZEN', 'This work is frozen until somebody lifts the freeze.', { freezeId: freeze.freezeId, scope: freeze.scope });
  const role = agentRole === undefined ? {} : { agentRole };
  const envelope: Envelope = {
    goalId, runId, agentName, ...role,
    context: { siteId, collections: [], policySnapshotHash },
    budget: Budget.parse({ ...governance.settings.budget, ...budget }),
    risk: 'safe', approvalPolicy,
    ...(autonomyCap !== null && { autonomyCap }),
    artifacts: [], capabilities: [...principal.capabilities], principalId: principal.id,
    ...(model !== undefined && { model }),
    ...(provider !== undefined && { provider }),
    ...(governance.constitution && { constitutionHash: governance.constitution.hash }),
    ...(parentRunId !== undefined && { parentRunId }),
  };
  return accept({
    goal: [{ type: 'GoalStarted', data: { runId } }],
    run: [
      { type: 'RunStarted', data: { runId, goalId, agentName, ...role, kind: 'external' } },
      { type: 'EnvelopeSealed', data: { envelope } },
      ...(governance.constitution ? [{ type: 'ConstitutionPinned' as const, data: governance.constitution }] : []),
    ],
  });
};
