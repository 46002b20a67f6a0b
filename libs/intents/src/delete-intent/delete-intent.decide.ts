import type { CollectionEvent } from '@app/content/contract';
import type { Goal, GoalEvent } from '@app/goals/contract';
import { accept, reject, type Context, type Decision } from '@app/kernel';
import { liveIntent } from '../checked-definition.policy';
import type { IntentEvent } from '../intent.events';
import type { Intent } from '../intent.state';
import { allDrifts, type Drift } from '../open-drifts.state';

type Deleted = { readonly intent: readonly IntentEvent[]; readonly collection: readonly CollectionEvent[]; readonly goals: Readonly<Record<string, readonly GoalEvent[]>> };

/** The goals that drifts wait for. */
export const goalsOf = (drifts: readonly Drift[]): readonly string[] => drifts.flatMap(({ goalId }) => goalId ?? []);

/**
 * Its drifts go with it, and the goals that nobody took up; its collection is governed by it no more. Goals that are under way go on, and
 * nobody waits for them. `goals` are those known before; with one more the decision has to be taken again.
 */
export const deleteIntent = (
  { intent, goals }: { readonly intent: Intent; readonly goals: Readonly<Record<string, Goal>> },
  { siteId, actor, now }: Pick<Context, 'siteId' | 'actor' | 'now'>,
): Decision<Deleted> => {
  const found = liveIntent(intent, siteId);
  if (!found.ok) return found;
  const at = now.toISOString();
  const { intentId } = found.intent;
  const drifts = allDrifts(found.intent.drifts);
  if (goalsOf(drifts).some((goalId) => !Object.hasOwn(goals, goalId))) return reject('conflict', 'CONFLICT', 'Another goal was made meanwhile; repeat the request.');
  const resolved = drifts.map(({ fingerprint }): IntentEvent => ({ type: 'DriftResolved', data: { fingerprint, resolution: 'gone', goalId: null, at } }));
  const cancelled = goalsOf(drifts).filter((goalId) => goals[goalId]!.status === 'open');
  return accept({
    intent: [...resolved, { type: 'IntentDeleted', data: { by: actor.id, at } }],
    collection: [{ type: 'CollectionReleased', data: { intentId, at } }],
    goals: Object.fromEntries(cancelled.map((goalId) => [goalId, [{ type: 'GoalCancelled', data: { reason: 'Its intent was deleted.' } }]])),
  });
};
