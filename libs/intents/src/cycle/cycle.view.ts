import { z } from 'zod';
import { SKIPPED } from './start-cycle.decide';

/** What a cycle did, or why it did nothing. */
export const CycleView = z.discriminatedUnion('status', [
  z.object({
    status: z.literal('finished'),
    cycle: z.int(),
    scanned: z.int(),
    found: z.int(),
    resolved: z.int(),
    goals: z.int(),
    /** Those that this very cycle brought forth, in the order of their drifts. */
    goalIds: z.array(z.string()).readonly(),
    open: z.int(),
    /** False when the scan had to stop at its time bound; the next one goes on from there. */
    complete: z.boolean(),
  }),
  z.object({ status: z.literal('skipped'), reason: z.enum(SKIPPED), opensAt: z.string().nullable() }),
]).meta({ id: 'IntentCycle' });
export type CycleView = z.infer<typeof CycleView>;
