import { missing, personId, reject, type Principal, type Rejected } from '@app/kernel';
import type { LiveMemory, Memory } from './memory.state';

/** One's own, what no user was named for, and what one wrote; admins see to all of their site. */
const mayChange = ({ scope, provenance }: Pick<LiveMemory, 'scope' | 'provenance'>, principal: Principal): boolean =>
  principal.roles.includes('admin') || scope.userId === null || scope.userId === personId(principal) || personId(provenance.by) === personId(principal);

/** A memory of this site that this principal may change, or why there is none. */
export const changeable = (state: Memory, principal: Principal, siteId: string): { readonly ok: true; readonly memory: LiveMemory } | Rejected => {
  if (state.status === 'none' || state.siteId !== siteId || !mayChange(state, principal)) return missing();
  if (state.status === 'forgotten') return reject('gone', 'GONE', 'This memory was forgotten.');
  return { ok: true, memory: state };
};
