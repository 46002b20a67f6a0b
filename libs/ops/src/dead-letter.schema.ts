import { z } from 'zod';

/** A job whose last attempt failed; `runId` is set for the task of a run. */
export const DeadLetterView = z.object({
  id: z.string(), queue: z.string(), jobId: z.string(), runId: z.string().nullable(), attempts: z.int(), error: z.string(), enqueuedAt: z.string(), failedAt: z.string(), payload: z.json(),
}).meta({ id: 'DeadLetter' });
export type DeadLetterView = z.infer<typeof DeadLetterView>;

/** `runId` is the new run that repeats the task of the one that failed for good; null when the job itself was put back into its queue. */
export const RequeuedLetter = z.object({ id: z.string(), queue: z.string(), jobId: z.string(), runId: z.string().nullable() }).meta({ id: 'RequeuedLetter' });
export type RequeuedLetter = z.infer<typeof RequeuedLetter>;
export const DiscardedLetter = z.object({ id: z.string() }).meta({ id: 'DiscardedLetter' });
