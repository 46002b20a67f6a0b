import { accept, type Context, type Decision } from '@app/kernel';
import { revokeApiKey, type PrincipalEvent, type PrincipalState } from '@app/sites/contract';
import type { FlowEvent } from '../flow.events';
import type { Flow } from '../flow.state';
import { liveFlow } from '../live-flow.policy';

/** Its principal holds nothing from here on, so what is still under way is refused at its next call. */
export const deleteFlow = (
  states: { readonly flow: Flow; readonly principal: PrincipalState },
  { siteId, now }: Pick<Context, 'siteId' | 'now'>,
): Decision<{ readonly flow: readonly FlowEvent[]; readonly principal: readonly PrincipalEvent[] }> => {
  const found = liveFlow(states.flow, siteId);
  if (!found.ok) return found;
  const revoked = revokeApiKey(states.principal, found.flow.principalId, siteId);
  return revoked.ok ? accept({ flow: [{ type: 'FlowDeleted', data: { at: now.toISOString() } }], principal: revoked.events.principal }) : revoked;
};
