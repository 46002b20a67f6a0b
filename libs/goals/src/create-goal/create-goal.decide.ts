import { accept, missing, reject, type Context, type Decision, type Principal } from '@app/kernel';
import { freezeOf, toolOf, type Governance } from '@app/governance/contract';
import { Budget, type Envelope, type Run, type RunEvent } from '@app/runs/contract';
import type { GoalEvent } from '../goal.events';
import type { Goal } from '../goal.state';
import type { CreateGoalBody } from './create-goal.command';

type Ids = { readonly goalId: string; readonly runId: string };
type Events = { readonly goal: readonly GoalEvent[]; readonly run: readonly RunEvent[] };

/** Opens a goal and its run together and seals what the run may do. A repeat of the same command finds them and adds nothing. */
export const createGoal = (
  states: { readonly goal: Goal; readonly run: Run; readonly governance: Governance },
  body: CreateGoalBody,
  principal: Principal,
  { goalId, runId }: Ids,
  policySnapshotHash: string,
  context: Pick<Context, 'siteId'>,
): Decision<Events> => {
  if (states.governance.status === 'none') return missing();
  if (body.execution === 'async') {
    return reject('invalid', 'ASYNC_UNAVAILABLE', 'This server has no queue; run the goal with execution "sync" or without a task.');
  }
  if (states.goal.status !== 'none') return accept({ goal: [], run: [] });
  const { title, agentName, agentRole = principal.agentRole, task, autonomyCap, intentId, approvalPolicy } = body;
  if (principal.agentRole !== undefined && agentRole !== principal.agentRole) {
    return reject('forbidden', 'FORBIDDEN', `This key works as ${principal.agentRole} and as nobody else.`, { agentRole: principal.agentRole });
  }
  const freeze = freezeOf(states.governance, { agentRole, intentId });
  if (freeze) {
    const what = freeze.scope === 'site' ? 'This site' : `The ${freeze.scope} ${freeze.targetId}`;
    return reject('frozen', 'FROZEN', `${what} is frozen: no work is taken on until somebody lifts the freeze.`, { freezeId: freeze.freezeId, scope: freeze.scope });
  }
  const envelope: Envelope = {
    goalId, runId, agentName,
    ...(agentRole !== undefined && { agentRole }),
    context: { siteId: context.siteId, collections: body.context?.collections ?? [], policySnapshotHash },
    budget: Budget.parse({ ...states.governance.settings.budget, ...body.budget }),
    risk: task && toolOf(states.governance, task.skillName)?.isDangerous ? 'dangerous' : 'safe',
    approvalPolicy,
    ...(autonomyCap !== undefined && { autonomyCap }),
    artifacts: [],
    capabilities: [...principal.capabilities],
    principalId: principal.id,
  };
  return accept({
    goal: [
      {
        type: 'GoalCreated',
        data: {
          goalId, title, origin: 'user', agentName, agentRole: agentRole ?? null, parentGoalId: null, intentId: intentId ?? null, driftFingerprint: null,
          autonomyCap: autonomyCap ?? null, priority: 0, deadline: null, owner: principal.id, acceptance: null,
        },
      },
      { type: 'GoalStarted', data: { runId } },
    ],
    run: [
      {
        type: 'RunStarted',
        data: {
          runId, goalId, agentName, ...(agentRole !== undefined && { agentRole }), kind: task ? 'task' : 'external',
          ...(task && { task: { tool: task.skillName, arguments: task.arguments } }),
        },
      },
      { type: 'EnvelopeSealed', data: { envelope } },
      ...(states.governance.constitution ? [{ type: 'ConstitutionPinned' as const, data: states.governance.constitution }] : []),
    ],
  });
};
