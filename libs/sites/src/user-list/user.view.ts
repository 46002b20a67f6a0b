import type { Context, Outcome } from '@app/kernel';
import { z } from 'zod';
import { liveUser } from '../live-user.policy';
import { USER_STATUSES } from '../user.schema';
import type { KnownUser, User } from '../user.state';

/** A person of the site, and how many keys they have. */
export const UserView = z.object({
  id: z.string(),
  siteId: z.string(),
  email: z.string(),
  name: z.string(),
  capabilities: z.array(z.string()),
  roles: z.array(z.string()),
  status: z.enum(USER_STATUSES),
  keys: z.int(),
  /** The account of an OIDC issuer that the person signs in with, once they have. */
  identity: z.object({ issuer: z.string(), subject: z.string() }).optional(),
  invitedAt: z.string(),
  updatedAt: z.string(),
}).meta({ id: 'User' });
export type UserView = Readonly<z.infer<typeof UserView>>;

export const userView = ({ userId: id, siteId, email, name, capabilities, roles, status, keys, identity, invitedAt, changedAt: updatedAt }: KnownUser): UserView => ({
  id, siteId, email, name, capabilities: [...capabilities], roles: [...roles], status, keys: keys.length, invitedAt, updatedAt,
  ...(identity && { identity: { issuer: identity.issuer, subject: identity.subject } }),
});

/** The view of somebody who was read or written, or why there is none. */
export const userAnswer = (state: User, position: bigint, { siteId }: Pick<Context, 'siteId'>): Outcome<UserView> => {
  const found = liveUser(state, siteId);
  return found.ok ? { ok: true, data: userView(found.user), position } : found;
};
