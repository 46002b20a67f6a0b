import type { Freeze, Governance, GovernanceEvent } from '@app/governance/contract';
import { accept, may, missing, reject, type Decision, type Principal } from '@app/kernel';
import type { FreezeScope } from './freeze-scope.command';

export type Scope = Freeze['scope'];

/** Why a principal may not freeze or lift a scope; undefined when it may. */
export const notAllowed = (principal: Pick<Principal, 'capabilities' | 'roles'>, scope: Scope) => {
  const needed = scope === 'intent' ? 'intents:write' : 'agents:freeze';
  return may(principal, needed) ? undefined : reject('forbidden', 'FORBIDDEN', `Freezing or lifting this scope needs the capability ${needed}.`);
};

export const freezeIn = ({ freezes }: { readonly freezes: Readonly<Record<string, Freeze>> }, scope: Scope, targetId: string | null): Freeze | undefined =>
  Object.values(freezes).find((freeze) => freeze.scope === scope && freeze.targetId === targetId);

/** Freezes once: what is frozen already stays as it is, and the freeze in force is the answer. */
export const freezeScope = (
  state: Governance,
  { body: { scope, targetId, reason }, principal }: Pick<FreezeScope, 'body' | 'principal'>,
  freezeId: string,
): Decision<{ readonly governance: readonly GovernanceEvent[] }> => {
  if (state.status === 'none') return missing();
  const refused = notAllowed(principal, scope) ?? wrongTarget(state, scope, targetId);
  if (refused) return refused;
  const target = scope === 'site' ? null : targetId!;
  if (freezeIn(state, scope, target)) return accept({ governance: [] });
  return accept({ governance: [{ type: 'ScopeFrozen', data: { freezeId, scope, targetId: target, reason: reason ?? null, by: principal.id } }] });
};

const wrongTarget = (state: Extract<Governance, { status: 'site' }>, scope: Scope, targetId: string | undefined) => {
  const wrong = (detail: string) => reject('invalid', 'VALIDATION_FAILED', 'This is nothing that can be frozen.', { errors: [{ pointer: '/targetId', detail }] });
  if (scope === 'site') return targetId === undefined || targetId === state.siteId ? undefined : missing();
  if (targetId === undefined) return wrong(`Name the ${scope} to freeze`);
  if (scope === 'intent') return /^int_[0-9a-f]{32}$/.test(targetId) ? undefined : wrong('The id of an intent: int_ and 32 hexadecimal digits');
  return Object.hasOwn(state.roles, targetId) ? undefined : wrong(`No role of this name on this site; its roles are ${Object.keys(state.roles).join(', ')}`);
};
