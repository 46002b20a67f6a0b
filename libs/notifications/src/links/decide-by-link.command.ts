import { Command, type Outcome } from '@app/kernel';
import { z } from 'zod';
import { Notification } from '../notification.schema';
import { Query, type Context } from '@app/kernel';

export const DecideByLinkBody = z.strictObject({ reason: z.string().trim().min(1).max(2_000).optional() }).meta({ id: 'DecideByLink' });
export const DecidedByLink = z.object({ subjectId: z.string(), action: z.enum(['approve', 'reject', 'veto']), status: z.string() }).meta({ id: 'DecidedByLink' });
export type DecidedByLink = z.infer<typeof DecidedByLink>;

/** Uses a link up. `context` lends its time and its ids; who decides is who the link was issued to. */
export class DecideByLink extends Command<Outcome<DecidedByLink>> {
  constructor(readonly token: string, readonly reason: string | undefined, readonly context: Omit<Context, 'actor' | 'siteId'>) {
    super();
  }
}

export const LinkedRequest = Notification.extend({ action: z.enum(['approve', 'reject', 'veto']), used: z.boolean(), linkExpiresAt: z.string() });
export type LinkedRequest = z.infer<typeof LinkedRequest>;

/** What a link is about, without deciding anything. */
export class ReadLink extends Query<Outcome<LinkedRequest>> {
  constructor(readonly token: string) {
    super();
  }
}
