import { missing, reject, type Rejected } from '@app/kernel';
import type { KnownUser, User } from './user.state';

/** A person of this site who was not removed, or why there is none. */
export const liveUser = (state: User, siteId: string): { readonly ok: true; readonly user: KnownUser } | Rejected => {
  if (state.status === 'none' || state.siteId !== siteId) return missing();
  if (state.status === 'removed') return reject('gone', 'GONE', 'This person was removed from the site; invite them again.');
  return { ok: true, user: state };
};
