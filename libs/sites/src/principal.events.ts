import { eventFamily, type EventOf } from '@app/kernel';
import { z } from 'zod';

export const PRINCIPAL_KINDS = ['human', 'agent', 'service'] as const;
const Roles = z.array(z.enum(['admin', 'veto']));

/** A principal and its one key share an id; the secret itself is never in the log. Whoever signs in with an issuer has a principal without a key. */
export const principalEvents = eventFamily('principal', {
  PrincipalCreated: z.strictObject({
    principalId: z.string(),
    name: z.string(),
    kind: z.enum(PRINCIPAL_KINDS),
    siteId: z.string(),
    capabilities: z.array(z.string()),
    roles: Roles,
    agentRole: z.string().nullable(),
    platformAdmin: z.boolean(),
    /** The user the key belongs to; a key without one stands for itself. */
    userId: z.string().optional(),
  }),
  ApiKeyIssued: z.strictObject({ keyId: z.string(), secretHash: z.string().regex(/^[0-9a-f]{64}$/), expiresAt: z.string().nullable() }),
  ApiKeyRotated: z.strictObject({ keyId: z.string(), secretHash: z.string().regex(/^[0-9a-f]{64}$/) }),
  ApiKeyRevoked: z.strictObject({ keyId: z.string() }),
  CapabilitiesChanged: z.strictObject({ capabilities: z.array(z.string()), roles: Roles }),
  /** Whoever the issuer knows by this subject signs in as this principal, for this person; it has no key. */
  IdentityLinked: z.strictObject({ issuer: z.string(), subject: z.string(), userId: z.string() }),
  IdentityUnlinked: z.strictObject({ userId: z.string() }),
});
export type PrincipalEvent = EventOf<typeof principalEvents>;
