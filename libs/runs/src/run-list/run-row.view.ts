import { z } from 'zod';
import { RUN_STATUSES } from '../budget.schema';

/** A run in a list. */
export const RunRow = z.object({
  id: z.string(),
  siteId: z.string(),
  goalId: z.string(),
  agentName: z.string(),
  agentRole: z.string().nullable(),
  kind: z.string(),
  status: z.enum(RUN_STATUSES),
  stopReason: z.string().nullable(),
  reason: z.string().nullable(),
  toolCalls: z.int(),
  startedAt: z.string(),
  endedAt: z.string().nullable(),
  /** The process that carries its task out now. */
  worker: z.string().nullable(),
}).meta({ id: 'RunRow' });
export type RunRow = Readonly<z.infer<typeof RunRow>>;
