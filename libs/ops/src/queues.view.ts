import { z } from 'zod';

/** How much a queue has to do. `failed` are its dead letters that nobody requeued or discarded yet. */
export const QueueView = z.object({
  name: z.string(),
  waiting: z.int(),
  active: z.int(),
  delayed: z.int(),
  failed: z.int(),
}).meta({ id: 'Queue' });
