import { eventFamily, type EventOf } from '@app/kernel';
import { z } from 'zod';

const Rights = { capabilities: z.array(z.string()), roles: z.array(z.enum(['admin', 'veto'])) };
const Known = { by: z.string(), at: z.string() };

/** A person of a site. What they may do at most is theirs; what they do it with are keys, each a principal of its own. */
export const userEvents = eventFamily('user', {
  UserInvited: z.strictObject({ userId: z.string(), siteId: z.string(), email: z.string(), name: z.string(), ...Rights, ...Known }),
  UserChanged: z.strictObject({ name: z.string(), ...Rights, ...Known }),
  /** With the first key an invited person is in. */
  UserKeyIssued: z.strictObject({ keyId: z.string(), ...Known }),
  UserKeyRevoked: z.strictObject({ keyId: z.string(), ...Known }),
  /** From now on the person signs in with this account of this issuer and with no other; once they have, they are in. */
  UserIdentityLinked: z.strictObject({ issuer: z.string(), subject: z.string(), principalId: z.string(), ...Known }),
  UserRemoved: z.strictObject({ ...Known }),
});
export type UserEvent = EventOf<typeof userEvents>;
