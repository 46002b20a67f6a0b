import type { Item } from '@app/content/contract';
import { hasEnded, type Goal, type GoalEvent } from '@app/goals/contract';
import { accept, type Decision } from '@app/kernel';
import type { IntentEvent } from '../intent.events';
import { MOST_OPEN_DRIFTS, type Intent, type LiveIntent } from '../intent.state';
import { driftIn, driftsOfItem } from '../open-drifts.state';
import { fingerprintOf } from '../rules/rule-key.policy';
import { violations, type Facts, type Violation } from '../rules/violations.policy';

export type Observed = { readonly intent: Intent; readonly item: Item; readonly goals: Readonly<Record<string, Goal>> };
export type ObservedEvents = { readonly intent: readonly IntentEvent[]; readonly goals: Readonly<Record<string, readonly GoalEvent[]>> };

/** What a live item of the intent's collection breaks now, by fingerprint; none for an item that is gone. */
export const brokenBy = ({ intentId, siteId, definition }: LiveIntent, item: Item, itemId: string, facts: Facts): ReadonlyMap<string, Violation> => {
  if (item.status !== 'live' || item.siteId !== siteId || item.collection !== definition.collection) return new Map();
  const subject = { data: item.data, updatedAt: item.updatedAt, pinned: Object.keys(item.pins) };
  return new Map(violations(definition.rules, subject, facts).map((violation) => [fingerprintOf(intentId, itemId, violation.ruleType, violation.ruleKey), violation]));
};

/** The cycle is over for whoever has been overtaken by another. */
export const isCurrent = (intent: Intent, cycle: number): intent is LiveIntent => intent.status === 'live' && intent.last?.cycle === cycle && intent.last.running;

/**
 * What a look at one item brings: drifts that are new, and drifts that are gone, with the goal that nobody had taken up yet. A drift whose
 * goal is under way is settled when that ends. Decided on the item's pins at the very version that the append is guarded by.
 */
export const observeItem = ({ intent, item, goals }: Observed, itemId: string, cycle: number, facts: Facts): Decision<ObservedEvents> => {
  if (!isCurrent(intent, cycle)) return accept({ intent: [], goals: {} });
  const at = facts.now.toISOString();
  const broken = brokenBy(intent, item, itemId, facts);
  const events: IntentEvent[] = [];
  const cancelled: Record<string, readonly GoalEvent[]> = {};
  for (const { fingerprint, goalId } of driftsOfItem(intent.drifts, itemId)) {
    if (broken.has(fingerprint)) continue;
    const goal = goalId === null ? undefined : goals[goalId];
    if (goalId !== null && (goal === undefined || (goal.status !== 'open' && !hasEnded(goal)))) continue;
    events.push({ type: 'DriftResolved', data: { fingerprint, resolution: 'gone', goalId: null, at } });
    if (goalId !== null && goal?.status === 'open') cancelled[goalId] = [{ type: 'GoalCancelled', data: { reason: 'What it was to repair is gone.' } }];
  }
  let open = intent.drifts.count - events.length;
  for (const [fingerprint, { ruleType, ruleKey, detail }] of broken) {
    if (driftIn(intent.drifts, fingerprint) || open >= MOST_OPEN_DRIFTS) continue;
    open++;
    events.push({ type: 'DriftFound', data: { fingerprint, itemId, ruleType, ruleKey, detail, at } });
  }
  return accept({ intent: events, goals: cancelled });
};
