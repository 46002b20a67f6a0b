import { reject, type Rejected } from '@app/kernel';
import type { OpenedRun } from '@app/runs/contract';
import type { CreateGoalBody } from '../create-goal/create-goal.command';
import type { Goal } from '../goal.state';
import type { ForkRunBody } from './fork-run.command';

type Overrides = ForkRunBody['overrides'];

const STRICTNESS = { none: 0, before_commit: 1, before_execute: 2 } as const;

/** A fork is no way around what bounded the run: its level can only be lowered, and its approvals only be made stricter. */
export const looserThan = ({ envelope }: OpenedRun, { autonomyCap, approvalPolicy }: Overrides): Rejected | undefined => {
  const errors = [
    ...(autonomyCap !== undefined && envelope.autonomyCap !== undefined && autonomyCap > envelope.autonomyCap
      ? [{ pointer: '/overrides/autonomyCap', detail: `At most ${envelope.autonomyCap}, the level of the run itself` }]
      : []),
    ...(approvalPolicy !== undefined && STRICTNESS[approvalPolicy] < STRICTNESS[envelope.approvalPolicy]
      ? [{ pointer: '/overrides/approvalPolicy', detail: `At least as strict as ${envelope.approvalPolicy}, that of the run itself` }]
      : []),
  ];
  return errors.length === 0 ? undefined : reject('invalid', 'VALIDATION_FAILED', 'A fork cannot be bounded less than its run.', { errors });
};

/** What the old goal was about, driven by an agent from here on. */
export const forkedGoal = (run: OpenedRun, { title, priority, acceptance, intentId }: Exclude<Goal, { status: 'none' }>, overrides: Overrides): CreateGoalBody => {
  const { envelope, agentName, agentRole } = run;
  const { budget, approvalPolicy, model, provider } = envelope;
  const autonomyCap = overrides.autonomyCap ?? envelope.autonomyCap;
  return {
    title, priority,
    agentName: overrides.agentName ?? agentName,
    execution: 'sync',
    budget: { ...budget, ...overrides.budget },
    approvalPolicy: overrides.approvalPolicy ?? approvalPolicy,
    context: { collections: envelope.context.collections },
    ...(agentRole !== undefined && { agentRole }),
    ...(autonomyCap !== undefined && { autonomyCap }),
    ...(model !== undefined && { model }),
    ...(provider !== undefined && { provider }),
    ...(acceptance !== null && { acceptance }),
    ...(intentId !== null && { intentId }),
  };
};
