import { grantedLevel, grantKey, type Governance, type GovernanceEvent } from '@app/governance/contract';
import { accept, may, missing, reject, type Context, type Decision, type Principal } from '@app/kernel';
import type { GrantAutonomyBody } from './grant-autonomy.command';

/** A human sets a level, and only for a capability that they hold themselves. Whatever the level was, the grant replaces it from this event on. */
export const grantAutonomy = (
  state: Governance,
  { agentRole, capability, level, expiresAt: wanted }: GrantAutonomyBody,
  granter: Pick<Principal, 'capabilities' | 'roles'>,
  { actor, now }: Pick<Context, 'actor' | 'now'>,
): Decision<{ readonly governance: readonly GovernanceEvent[] }> => {
  if (state.status === 'none') return missing();
  if (actor.kind !== 'human') return reject('forbidden', 'FORBIDDEN', 'Only a human sets a level of autonomy; ask a person to do it with a key of kind human.');
  if (!may(granter, capability)) return reject('forbidden', 'FORBIDDEN', 'A level cannot be given for what its giver may not do.', { beyond: [capability] });
  const invalid = (pointer: string, detail: string) => reject('invalid', 'VALIDATION_FAILED', 'This grant would have no effect.', { errors: [{ pointer, detail }] });
  if (!Object.hasOwn(state.roles, agentRole)) return invalid('/agentRole', `No role of the name ${agentRole} is on this site`);
  if (wanted !== undefined && Date.parse(wanted) <= now.getTime()) return invalid('/expiresAt', 'Must be in the future');
  const expiresAt = wanted === undefined ? null : new Date(wanted).toISOString();
  const before = state.grants[grantKey(agentRole, capability)];
  if (before && before.level === level && before.expiresAt === expiresAt) return accept({ governance: [] });
  const from = grantedLevel(state, agentRole, capability, now) ?? null;
  return accept({ governance: [{ type: 'AutonomyGranted', data: { agentRole, capability, level, from, expiresAt, grantedBy: actor.id } }] });
};
