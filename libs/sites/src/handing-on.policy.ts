import { may, reject, type Principal, type Rejected } from '@app/kernel';

type Rights = Pick<Principal, 'capabilities' | 'roles'>;

/** Nobody hands on more than they hold: an admin holds everything, others exactly their own capabilities; `*` and roles come from admins. */
export const surplus = (giver: Rights, capabilities: readonly string[], roles: readonly string[], sentence = 'A key cannot be given more than its issuer holds.'): Rejected | undefined => {
  if (giver.roles.includes('admin')) return undefined;
  const lacking = capabilities.filter((capability) => capability === '*' || !may(giver, capability));
  const beyond = [...lacking, ...roles.filter((role) => !(giver.roles as readonly string[]).includes(role))];
  return beyond.length === 0 ? undefined : reject('forbidden', 'FORBIDDEN', sentence, { beyond });
};
