import { Command, type Context, type Outcome } from '@app/kernel';
import { z } from 'zod';

export const ResolveIncidentBody = z.strictObject({ note: z.string().trim().min(1).max(4_000).optional() }).meta({ id: 'ResolveIncident' });
export type ResolveIncidentBody = z.infer<typeof ResolveIncidentBody>;

export const ResolvedIncident = z
  .object({ id: z.string(), status: z.literal('resolved'), resolvedBy: z.string(), resolvedAt: z.string(), note: z.string().nullable() })
  .meta({ id: 'ResolvedIncident' });
export type ResolvedIncident = z.infer<typeof ResolvedIncident>;

/** Somebody looked after it. The level that fell with it stays where it is: only a grant or a promotion raises it. */
export class ResolveIncident extends Command<Outcome<ResolvedIncident>> {
  constructor(
    readonly incidentId: string,
    readonly body: ResolveIncidentBody,
    readonly context: Context,
  ) {
    super();
  }
}
