import { z } from 'zod';

/** At most an hour. */
export const IssueTokenBody = z.strictObject({ ttlSeconds: z.int().min(1).max(3_600).default(900) }).meta({ id: 'IssueRunToken' });
export const IssuedTokenView = z.object({ runId: z.string(), token: z.string(), expiresAt: z.string() }).meta({ id: 'RunToken' });
