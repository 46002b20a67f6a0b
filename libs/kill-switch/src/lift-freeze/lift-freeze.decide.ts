import type { Freeze, Governance, GovernanceEvent } from '@app/governance/contract';
import { accept, missing, reject, type Decision } from '@app/kernel';
import { freezeIn, notAllowed } from '../freeze-scope/freeze-scope.decide';
import type { LiftBody, LiftFreeze } from './lift-freeze.command';

/** Lifts a freeze that is in force. A cancelled run stays cancelled. */
export const liftFreeze = (state: Governance, { body, principal }: Pick<LiftFreeze, 'body' | 'principal'>): Decision<{ readonly governance: readonly GovernanceEvent[] }> => {
  if (state.status === 'none') return missing();
  if ('scope' in body && body.scope === 'run') return reject('conflict', 'CONFLICT', 'A cancelled run cannot be taken up again; open a new one.');
  const freeze = frozenBy(state, body);
  const refused = notAllowed(principal, freeze?.scope ?? ('scope' in body ? body.scope : 'site'));
  if (refused) return refused;
  if (!freeze) return reject('conflict', 'CONFLICT', 'No such freeze is in force; look at the list of freezes.');
  return accept({ governance: [{ type: 'FreezeLifted', data: { freezeId: freeze.freezeId, by: principal.id } }] });
};

export const frozenBy = (state: Extract<Governance, { status: 'site' }>, body: LiftBody): Freeze | undefined => {
  if ('freezeId' in body) return Object.hasOwn(state.freezes, body.freezeId) ? state.freezes[body.freezeId] : undefined;
  return freezeIn(state, body.scope, body.scope === 'site' ? null : (body.targetId ?? null));
};
