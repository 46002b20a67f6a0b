import { projection, type Row } from '@app/projections/contract';
import type { UserEvent } from '../user.events';
import { user, type User } from '../user.state';

export type UserRow = Row & { readonly email: string; readonly status: string; readonly person: User };

const next = (row: UserRow | null, event: UserEvent): UserRow | null => {
  const person = user.evolve(row?.person ?? user.initial, event);
  return person.status === 'none' ? null : { id: person.userId, siteId: person.siteId, email: person.email, status: person.status, person };
};

/** The people of a site, each as their stream folds; those who were removed stay listed as removed. */
export const users = projection<UserRow, UserEvent>({
  name: 'users',
  version: 1,
  columns: { email: 'text', status: 'text', person: 'jsonb' },
  indexes: [['status', 'id']],
  on: { UserInvited: next, UserChanged: next, UserKeyIssued: next, UserKeyRevoked: next, UserIdentityLinked: next, UserRemoved: next },
});
