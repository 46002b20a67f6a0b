import { intentStatus, type Governance, type GovernanceEvent } from '@app/governance/contract';
import { accept, missing, reject, type Context, type Decision } from '@app/kernel';
import { liveIntent } from '../checked-definition.policy';
import type { Intent } from '../intent.state';
import type { Wish } from './pause-intent.command';

/** Recorded on the site's governance stream, which every new goal is guarded by: nothing arises from an intent after the pause's position. */
export const pauseIntent = (
  { intent, governance }: { readonly intent: Intent; readonly governance: Governance },
  wish: Wish,
  { siteId, actor }: Pick<Context, 'siteId' | 'actor'>,
): Decision<{ readonly governance: readonly GovernanceEvent[] }> => {
  if (governance.status === 'none') return missing();
  const found = liveIntent(intent, siteId);
  if (!found.ok) return found;
  const { intentId } = found.intent;
  const recorded = Object.hasOwn(governance.intents, intentId) ? governance.intents[intentId]! : 'active';
  if (wish.to === 'pause') {
    return accept({ governance: recorded === 'paused' ? [] : [{ type: 'IntentPaused', data: { intentId, by: actor.id, reason: wish.reason ?? null } }] });
  }
  if (recorded === 'active' && intentStatus(governance, intentId) === 'paused') {
    return reject('frozen', 'FROZEN', 'The kill switch holds this intent; lift that freeze.', { scope: 'intent', targetId: intentId });
  }
  return accept({ governance: recorded === 'active' ? [] : [{ type: 'IntentResumed', data: { intentId, by: actor.id } }] });
};
