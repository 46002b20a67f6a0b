import type { Recorded } from '@app/kernel';
import { z } from 'zod';

/** An event of a run as clients see it; `position` is text because it may exceed 2^53. */
export const RunEventView = z.object({
  position: z.string(),
  streamId: z.string(),
  version: z.int(),
  eventId: z.string(),
  type: z.string(),
  occurredAt: z.string(),
  actor: z.object({ kind: z.string(), id: z.string(), role: z.string().optional(), userId: z.string().optional() }),
  data: z.json(),
}).meta({ id: 'RunEvent' });
export type RunEventView = z.infer<typeof RunEventView>;

export const runEventView = ({ position, streamId, version, eventId, type, occurredAt, metadata, data }: Recorded): RunEventView => ({
  position: String(position), streamId, version, eventId, type, occurredAt, actor: metadata.actor, data: data as RunEventView['data'],
});
