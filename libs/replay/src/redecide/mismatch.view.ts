import { z } from 'zod';

const Difference = z.object({
  path: z.string().describe('JSON pointer into the event\'s data'), recorded: z.json().optional(), replayed: z.json().optional(),
}).meta({ id: 'ReplayFieldDifference' });

/** An event that says something else than the same question answers today. */
export const ReplayMismatch = z.object({
  position: z.string(),
  streamId: z.string(),
  version: z.int(),
  eventId: z.string(),
  type: z.string(),
  callId: z.string(),
  detail: z.string(),
  differences: z.array(Difference),
}).meta({ id: 'ReplayMismatch' });
export type ReplayMismatch = Readonly<z.infer<typeof ReplayMismatch>>;
