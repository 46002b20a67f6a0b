import { intentStatus, type Governance } from '@app/governance/contract';
import type { Context, Outcome } from '@app/kernel';
import { liveIntent } from '../checked-definition.policy';
import type { Intent, LiveIntent } from '../intent.state';
import { nextRun } from '../schedule/schedule';
import type { IntentView } from './intent.view';

export const intentView = (state: LiveIntent, governance: Governance, now: Date): IntentView => {
  const { intentId, siteId, definition, drifts, failures, last, declaredAt, changedAt } = state;
  const { name, collection, rules, schedule, budget, tz = null, autonomyCap = null, maintenanceWindow = null } = definition;
  const status = intentStatus(governance, intentId);
  return {
    id: intentId, siteId, name, collection, rules: [...rules], schedule, tz, budget, autonomyCap, maintenanceWindow, status, openDrifts: drifts.count, failures,
    lastCycle: last && { cycle: last.cycle, startedAt: last.startedAt, finishedAt: last.finishedAt, goals: last.goals },
    nextRunAt: status === 'active' ? (nextRun(definition, now)?.toISOString() ?? null) : null,
    createdAt: declaredAt, updatedAt: changedAt,
  };
};

/** The view of an intent that was read or written, or why there is none. */
export const intentAnswer = (
  states: { readonly intent: Intent; readonly governance: Governance },
  position: bigint,
  { siteId, now }: Pick<Context, 'siteId' | 'now'>,
): Outcome<IntentView> => {
  const found = liveIntent(states.intent, siteId);
  return found.ok ? { ok: true, data: intentView(found.intent, states.governance, now), position } : found;
};
