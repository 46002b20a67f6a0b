import { z } from 'zod';

/** `error` is what the last attempt failed of, `nextTryAt` when the next one is due. */
export const ParkedEventView = z.object({
  consumer: z.string(), position: z.string(), attempts: z.int(), error: z.string(), parkedAt: z.string(), nextTryAt: z.string(),
}).meta({ id: 'ParkedEvent' });
export type ParkedEventView = z.infer<typeof ParkedEventView>;

export const RetriedEvent = z.object({ consumer: z.string(), position: z.string() }).meta({ id: 'RetriedEvent' });
