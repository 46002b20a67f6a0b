import { accept, missing, reject, type Context, type Decision, type Principal } from '@app/kernel';
import { freezeOf, toolOf, type Governance } from '@app/governance/contract';
import { Budget, type Envelope, type Run, type RunEvent } from '@app/runs/contract';
import { maskSecrets } from '@app/vault/contract';
import type { GoalEvent } from '../goal.events';
import type { Goal } from '../goal.state';
import type { Lineage } from '../open-goal/open-goal.command';
import type { CreateGoalBody } from './create-goal.command';

type Ids = { readonly goalId: string; readonly runId: string };
type Events = { readonly goal: readonly GoalEvent[]; readonly run: readonly RunEvent[] };

/** Opens a goal and its run together and seals what the run may do. A repeat of the same command finds them and adds nothing. No secret is recorded. */
export const createGoal = (
  states: { readonly goal: Goal; readonly run: Run; readonly governance: Governance },
  given: CreateGoalBody,
  principal: Principal,
  { goalId, runId }: Ids,
  policySnapshotHash: string,
  { siteId, canQueue, sealed }: Pick<Context, 'siteId'> & { /** A worker may take the task. */ readonly canQueue: boolean; /** The exact arguments of a task that waits, when they hold secrets. */ readonly sealed?: string | undefined },
  lineage?: Lineage,
): Decision<Events> => {
  if (states.governance.status === 'none') return missing();
  const body = maskSecrets(given).masked;
  if (body.execution === 'async' && !canQueue) {
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
    context: { siteId, collections: body.context?.collections ?? [], policySnapshotHash },
    budget: Budget.parse({ ...states.governance.settings.budget, ...body.budget }),
    risk: task && toolOf(states.governance, task.skillName)?.isDangerous ? 'dangerous' : 'safe',
    approvalPolicy,
    ...(autonomyCap !== undefined && { autonomyCap }),
    artifacts: [],
    capabilities: [...principal.capabilities],
    principalId: principal.id,
    ...(body.model !== undefined && { model: body.model }),
    ...(body.provider !== undefined && { provider: body.provider }),
    ...(states.governance.constitution && { constitutionHash: states.governance.constitution.hash }),
    ...(lineage?.parentRunId !== undefined && { parentRunId: lineage.parentRunId }),
    ...(lineage?.retryOf !== undefined && { retryOf: lineage.retryOf }),
    ...(lineage?.fork && { forkOf: lineage.fork.forkOf }),
  };
  const recorded = task && { tool: task.skillName, arguments: task.arguments, ...(sealed !== undefined && { sealed }) };
  const isQueued = body.execution === 'async' && recorded !== undefined;
  const names = { runId, goalId, agentName, ...(agentRole !== undefined && { agentRole }) };
  return accept({
    goal: [
      {
        type: 'GoalCreated',
        data: {
          goalId, title, origin: lineage?.origin ?? 'user', agentName, agentRole: agentRole ?? null, parentGoalId: lineage?.parentGoalId ?? null, intentId: intentId ?? null,
          driftFingerprint: lineage?.driftFingerprint ?? null, autonomyCap: autonomyCap ?? null, priority: body.priority, deadline: body.deadline ?? null, owner: principal.id,
          acceptance: body.acceptance ?? null,
        },
      },
      ...(isQueued ? [] : [{ type: 'GoalStarted' as const, data: { runId } }]),
    ],
    run: [
      isQueued
        ? { type: 'RunQueued', data: { ...names, task: recorded } }
        : { type: 'RunStarted', data: { ...names, kind: task ? 'task' : 'external', ...(recorded && { task: recorded }) } },
      { type: 'EnvelopeSealed', data: { envelope } },
      ...(states.governance.constitution ? [{ type: 'ConstitutionPinned' as const, data: states.governance.constitution }] : []),
      ...descent(lineage),
    ],
  });
};

/** The run that this one repeats, or the run whose history it begins with. */
const descent = ({ retryOf, fork }: Partial<Lineage> = {}): readonly RunEvent[] => [
  ...(retryOf === undefined ? [] : [{ type: 'RunRetried' as const, data: { retryOf } }]),
  ...(fork ? [{ type: 'RunForked' as const, data: { ...fork, inherited: [...fork.inherited], overrides: { ...fork.overrides } as Record<string, never> } }] : []),
];
