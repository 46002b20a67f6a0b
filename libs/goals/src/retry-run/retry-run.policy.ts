import { may, missing, reject, type Principal, type Rejected } from '@app/kernel';
import { isFinished, type OpenedRun } from '@app/runs/contract';
import { masksIn } from '@app/vault/contract';
import type { CreateGoalBody } from '../create-goal/create-goal.command';
import type { Goal } from '../goal.state';

type Task = NonNullable<OpenedRun['task']>;

/** The task to be repeated, or why it cannot be. A mask stands for a secret that nobody can read any more. */
export const retryableTask = (run: OpenedRun, principal: Principal): { readonly ok: true; readonly task: Task } | Rejected => {
  const { task, envelope, status } = run;
  if (envelope.principalId !== principal.id && !may(principal, 'ops:write')) return missing();
  if (!isFinished(run)) return reject('conflict', 'CONFLICT', 'This run has not ended; cancel it first, or wait for its end.', { runStatus: status });
  if (task === undefined) return reject('conflict', 'CONFLICT', 'This run was driven by its own agent and has no stored task to repeat; open a new goal, or fork the run.');
  const masked = masksIn(task.arguments).map(({ path }) => path);
  if (task.sealed === undefined && masked.length === 0) return { ok: true, task };
  return reject('conflict', 'CONFLICT', 'The arguments of this run held secrets, which are stored masked and cannot be sent again; open a new goal with the secrets.', { masked });
};

/** What the old goal asked for. A deadline that has passed asks for nothing any more. */
export const sameGoal = (run: OpenedRun, { tool, arguments: input }: Task, goal: Exclude<Goal, { status: 'none' }>, { now, canQueue }: { readonly now: Date; readonly canQueue: boolean }): CreateGoalBody => {
  const { envelope, agentName, agentRole } = run;
  const { budget, approvalPolicy, autonomyCap, model, provider } = envelope;
  const { title, priority, deadline, acceptance, intentId } = goal;
  return {
    title, agentName, priority, budget, approvalPolicy,
    execution: canQueue ? 'async' : 'sync',
    task: { skillName: tool, arguments: input },
    context: { collections: envelope.context.collections },
    ...(agentRole !== undefined && { agentRole }),
    ...(autonomyCap !== undefined && { autonomyCap }),
    ...(model !== undefined && { model }),
    ...(provider !== undefined && { provider }),
    ...(acceptance !== null && { acceptance }),
    ...(intentId !== null && { intentId }),
    ...(deadline !== null && Date.parse(deadline) > now.getTime() && { deadline }),
  };
};
