import type { CollectionEvent } from '@app/content/contract';
import { accept, type Context, type Decision } from '@app/kernel';
import { liveIntent } from '../checked-definition.policy';
import type { IntentEvent } from '../intent.events';
import type { Intent } from '../intent.state';
import { allDrifts } from '../open-drifts.state';

/** Its drifts go with it, and its collection is governed by it no more. Goals that are under way go on; nobody waits for them. */
export const deleteIntent = (
  { intent }: { readonly intent: Intent },
  { siteId, actor, now }: Pick<Context, 'siteId' | 'actor' | 'now'>,
): Decision<{ readonly intent: readonly IntentEvent[]; readonly collection: readonly CollectionEvent[] }> => {
  const found = liveIntent(intent, siteId);
  if (!found.ok) return found;
  const at = now.toISOString();
  const { intentId, drifts } = found.intent;
  const resolved = allDrifts(drifts).map(({ fingerprint, goalId }): IntentEvent => ({ type: 'DriftResolved', data: { fingerprint, resolution: 'gone', goalId, at } }));
  return accept({ intent: [...resolved, { type: 'IntentDeleted', data: { by: actor.id, at } }], collection: [{ type: 'CollectionReleased', data: { intentId, at } }] });
};
