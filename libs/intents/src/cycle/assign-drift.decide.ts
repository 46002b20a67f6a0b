import type { Goal, GoalEvent } from '@app/goals/contract';
import { freezeOf, intentStatus, type Governance, type Site } from '@app/governance/contract';
import { accept, type Context, type Decision } from '@app/kernel';
import type { IntentEvent } from '../intent.events';
import type { Intent, LiveIntent } from '../intent.state';
import { driftIn, type Drift } from '../open-drifts.state';
import { ROLE_OF } from '../rules/rule-key.policy';
import { isOpen } from '../schedule/maintenance-window.policy';
import { isCurrent } from './observe-item.decide';

export type Assigned = { readonly intent: readonly IntentEvent[]; readonly goal: readonly GoalEvent[] };
type States = { readonly intent: Intent; readonly goal: Goal; readonly governance: Governance };
type Order = { readonly fingerprint: string; readonly goalId: string; readonly cycle: number };

export const RECONCILER = 'reconciler';

/** Whether a cycle may bring forth a goal at all now. */
export const mayAssign = (intent: Intent, governance: Governance, cycle: number, now: Date): intent is LiveIntent => {
  if (governance.status === 'none' || !governance.flags.reconciler || !isCurrent(intent, cycle)) return false;
  if (intentStatus(governance, intent.intentId) !== 'active' || freezeOf(governance, { intentId: intent.intentId })) return false;
  return isOpen(intent.definition.maintenanceWindow, now) && intent.last!.goals < intent.definition.budget.maxGoalsPerCycle;
};

/** Whether a drift waits for a goal. */
export const isUnassigned = ({ goalId, waitUntil }: Drift, now: Date): boolean => goalId === null && (waitUntil === null || Date.parse(waitUntil) <= now.getTime());

/**
 * One goal for one drift, in one append with the fact that the drift is assigned: whoever comes second finds it so. Every bound is checked on
 * the states that the append is made or guarded with.
 */
export const assignDrift = ({ intent, goal, governance }: States, { fingerprint, goalId, cycle }: Order, { now }: Pick<Context, 'now'>): Decision<Assigned> => {
  const nothing = accept<Assigned>({ intent: [], goal: [] });
  if (!mayAssign(intent, governance, cycle, now) || goal.status !== 'none') return nothing;
  const drift = driftIn(intent.drifts, fingerprint);
  if (!drift || !isUnassigned(drift, now) || freezeOf(governance as Site, { agentRole: ROLE_OF[drift.ruleType] })) return nothing;
  return accept({
    intent: [{ type: 'DriftAssigned', data: { fingerprint, goalId, cycle, at: now.toISOString() } }],
    goal: [{ type: 'GoalCreated', data: goalFor(intent, drift, goalId) }],
  });
};

/** An open goal without a run: an agent of the role takes it up, within the bounds of the intent. */
const goalFor = ({ intentId, definition }: LiveIntent, { fingerprint, itemId, ruleType, detail }: Drift, goalId: string): Extract<GoalEvent, { type: 'GoalCreated' }>['data'] => {
  const { collection, autonomyCap = null, budget: { maxCostUsd, maxWritesPerMinute } } = definition;
  return {
    goalId, title: `Repair ${collection} ${itemId}: ${detail}`.slice(0, 500), origin: RECONCILER, agentName: RECONCILER, agentRole: ROLE_OF[ruleType], parentGoalId: null,
    intentId, driftFingerprint: fingerprint, autonomyCap, priority: 0, deadline: null, owner: RECONCILER,
    acceptance: `The item ${itemId} of the collection ${collection} keeps the rule ${ruleType} of the intent ${definition.name}.`,
    budget: { ...(maxCostUsd !== undefined && { maxCostUsd }), ...(maxWritesPerMinute !== undefined && { maxWritesPerMinute }) },
  };
};
