import type { Governance } from './governance.state';

export const INTENT_STATUSES = ['active', 'paused', 'error'] as const;
export type IntentStatus = (typeof INTENT_STATUSES)[number];

/** Whether an intent makes work now. One that the kill switch holds is paused for as long as it does. */
export const intentStatus = (state: Governance, intentId: string): IntentStatus => {
  if (state.status === 'none') return 'active';
  const known = Object.hasOwn(state.intents, intentId) ? state.intents[intentId]! : 'active';
  if (known !== 'active') return known;
  return Object.values(state.freezes).some(({ scope, targetId }) => scope === 'intent' && targetId === intentId) ? 'paused' : 'active';
};
