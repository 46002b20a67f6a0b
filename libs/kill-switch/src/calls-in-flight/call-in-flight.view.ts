import { z } from 'zod';

/** A call that was authorised and whose outcome is not recorded yet. */
export const CallInFlight = z.object({ runId: z.string(), callId: z.string(), tool: z.string(), authorisedAt: z.string() }).meta({ id: 'CallInFlight' });
export type CallInFlight = z.infer<typeof CallInFlight>;

/** `handledBy` is the id of the process whose handler it is, or `client`. */
export type CallInFlightRow = CallInFlight & { readonly id: string; readonly siteId: string; readonly handledBy: string | null };
