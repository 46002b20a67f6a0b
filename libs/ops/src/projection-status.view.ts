import { z } from 'zod';

/** How far a read model is. Positions are text; `lagMs` is the age of the oldest event it has not seen. */
export const ProjectionStatusView = z.object({
  name: z.string(),
  version: z.int(),
  generation: z.int(),
  state: z.enum(['live', 'building', 'paused', 'stopped']),
  position: z.string(),
  lagEvents: z.string(),
  lagMs: z.number(),
  progress: z.object({ generation: z.int(), version: z.int(), position: z.string(), target: z.string(), ratio: z.number() }).nullable(),
  error: z.object({ position: z.string().nullable(), message: z.string() }).nullable(),
}).meta({ id: 'ProjectionStatus' });
export type ProjectionStatusView = z.infer<typeof ProjectionStatusView>;

export const Ordered = z.object({ name: z.string(), order: z.string() }).meta({ id: 'OrderedProjection' });
export const VerifiedView = z.object({
  name: z.string(),
  ok: z.boolean(),
  position: z.string(),
  rows: z.int(),
  differences: z.array(z.object({ id: z.string(), kind: z.enum(['missing', 'extra', 'different']) })),
}).meta({ id: 'VerifiedProjection' });

export const SkipBody = z.strictObject({ position: z.string().regex(/^[1-9]\d{0,18}$/), reason: z.string().trim().min(1).max(2_000) }).meta({ id: 'SkipEvent' });
