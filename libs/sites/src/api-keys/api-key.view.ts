import { z } from 'zod';
import { PRINCIPAL_KINDS } from '../principal.events';

/** A key without its secret, which nobody can read again. */
export const ApiKeyRow = z.object({
  id: z.string(),
  siteId: z.string(),
  name: z.string(),
  kind: z.enum(PRINCIPAL_KINDS),
  capabilities: z.array(z.string()),
  roles: z.array(z.string()),
  agentRole: z.string().nullable(),
  /** The user the key belongs to; null when it stands for itself. */
  userId: z.string().nullable(),
  expiresAt: z.string().nullable(),
  revokedAt: z.string().nullable(),
  createdAt: z.string(),
});
export type ApiKeyRow = Readonly<z.infer<typeof ApiKeyRow>>;

export const ApiKeyView = ApiKeyRow.extend({ lastUsedAt: z.string().nullable() }).meta({ id: 'ApiKey' });
export type ApiKeyView = Readonly<z.infer<typeof ApiKeyView>>;
