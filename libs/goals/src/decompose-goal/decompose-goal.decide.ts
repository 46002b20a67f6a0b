import { freezeOf, type Governance } from '@app/governance/contract';
import { accept, missing, reject, type Decision, type Principal } from '@app/kernel';
import { isLive, type Run, type RunEvent } from '@app/runs/contract';
import type { GoalEvent } from '../goal.events';
import type { Goal } from '../goal.state';
import { MAX_DEPTH, MAX_WIDTH, type Part } from './decompose-goal.command';

export const PLANNER = 'Planner';

type States = { readonly goal: Goal; readonly run: Run; readonly governance: Governance };
export type Child = { readonly goalId: string; readonly part: Part; readonly maxToolCalls: number };
type Events = { readonly goal: readonly GoalEvent[]; readonly run: readonly RunEvent[]; readonly children: readonly Extract<GoalEvent, { type: 'GoalCreated' }>[] };

/**
 * The parts and what they may call are written together with what the run gave up for them, so however many planners race, no call is given
 * away twice. `depth` is the number of ancestors that the goal has.
 */
export const decomposeGoal = ({ goal, run, governance }: States, parts: readonly Part[], ids: readonly string[], depth: number, principal: Principal): Decision<Events> => {
  if (goal.status === 'none' || governance.status === 'none') return missing();
  const isPlanner = principal.agentRole === PLANNER || (isLive(run) && run.agentRole === PLANNER && run.envelope.principalId === principal.id);
  if (!isPlanner) return reject('forbidden', 'FORBIDDEN', 'Only a run or a key in the role Planner decomposes a goal.', { role: PLANNER });
  if (!isLive(run) || run.cancelRequested) return reject('conflict', 'CONFLICT', 'Only a goal whose run is going on can be decomposed.', { goalStatus: goal.status });
  const freeze = freezeOf(governance, { agentRole: run.agentRole, intentId: goal.intentId });
  if (freeze) return reject('frozen', 'FROZEN', 'This work is frozen until somebody lifts the freeze.', { freezeId: freeze.freezeId, scope: freeze.scope });
  if (depth + 1 > MAX_DEPTH) return reject('invalid', 'VALIDATION_FAILED', `Goals are decomposed at most ${MAX_DEPTH} levels deep.`, { depth: depth + 1 });
  if (goal.children.length + parts.length > MAX_WIDTH) return reject('invalid', 'VALIDATION_FAILED', `A goal has at most ${MAX_WIDTH} parts.`, { parts: goal.children.length + parts.length });
  const left = Math.max(0, run.envelope.budget.maxToolCalls - run.spent.toolCalls);
  const shares = shareOut(parts, left);
  if (!shares) return reject('invalid', 'VALIDATION_FAILED', `The parts want more tool calls than the run has left, which are ${left}.`, { left });
  const given = shares.reduce((sum, share) => sum + share, 0);
  const children = parts.map((part, nr): Child => ({ goalId: ids[nr]!, part, maxToolCalls: shares[nr]! }));
  return accept({
    goal: [{ type: 'GoalDecomposed', data: { runId: run.runId, children: children.map(({ goalId, part: { agentRole }, maxToolCalls }) => ({ goalId, agentRole, toolCalls: maxToolCalls })) } }],
    run: given === 0 ? [] : [{ type: 'BudgetShared', data: { toolCalls: given, goals: [...ids] } }],
    children: children.map((child) => created(child, goal, run.agentName, principal)),
  });
};

/** What is named is taken first, the rest is shared evenly; undefined when it does not suffice. */
const shareOut = (parts: readonly Part[], left: number): readonly number[] | undefined => {
  const named = parts.reduce((sum, { maxToolCalls = 0 }) => sum + maxToolCalls, 0);
  if (named > left) return undefined;
  const open = parts.filter(({ maxToolCalls }) => maxToolCalls === undefined).length;
  let rest = left - named;
  let takers = open;
  return parts.map(({ maxToolCalls }) => {
    if (maxToolCalls !== undefined) return maxToolCalls;
    const share = Math.floor(rest / takers);
    rest -= share;
    takers--;
    return share;
  });
};

/** A part belongs to the same intent and may act on no higher level than the whole. */
const created = ({ goalId, part, maxToolCalls }: Child, parent: Exclude<Goal, { status: 'none' }>, agentName: string, principal: Principal): Extract<GoalEvent, { type: 'GoalCreated' }> => {
  const caps = [parent.autonomyCap, part.autonomyCap ?? null].filter((cap) => cap !== null);
  return {
    type: 'GoalCreated',
    data: {
      goalId, title: part.title, origin: 'planner', agentName, agentRole: part.agentRole, parentGoalId: parent.goalId, intentId: parent.intentId, driftFingerprint: null,
      autonomyCap: caps.length > 0 ? Math.min(...caps) : null, priority: part.priority, deadline: parent.deadline, owner: principal.id, acceptance: part.acceptance ?? null,
      budget: { maxToolCalls, ...(parent.budget?.maxWritesPerMinute !== undefined && { maxWritesPerMinute: parent.budget.maxWritesPerMinute }) },
    },
  };
};
