import type { VerifiedIdentity } from '@app/sites/contract';
import { z } from 'zod';

const Claims = z.object({ sub: z.string().min(1).max(255), email: z.string().max(254).optional().catch(undefined), email_verified: z.unknown().optional() });
/** Access tokens (RFC 9068) and the plain kind. Others, such as logout tokens, are signed by the same issuer and sign nobody in. */
const TYPES = ['jwt', 'at+jwt', 'application/at+jwt'];

/** Whom the claims of a proven token speak of; null when it is none to sign in with. An address counts only if the issuer says, in so many words, that it has verified it. */
export const identityOfClaims = (issuer: string, typ: string | undefined, claims: Readonly<Record<string, unknown>>): VerifiedIdentity | null => {
  const read = Claims.safeParse(claims);
  if (!read.success || (typ !== undefined && !TYPES.includes(typ.toLowerCase()))) return null;
  const { sub: subject, email, email_verified: isVerified } = read.data;
  return { issuer, subject, ...(isVerified === true && email !== undefined && { email }) };
};
