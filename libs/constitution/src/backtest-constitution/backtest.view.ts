import { z } from 'zod';

const Side = z.object({ hash: z.string().nullable(), allowed: z.boolean(), blocking: z.array(z.string()) }).meta({ id: 'BacktestSide' });

export const ConstitutionDifference = z.object({
  position: z.string(),
  at: z.string(),
  streamId: z.string(),
  collection: z.string(),
  /** The run that wrote it; null for a person. */
  runId: z.string().nullable(),
  /** Under the version its writer was bound to: a run's own, else the one in force then; a hash of null when there was none. */
  before: Side,
  after: Side,
}).meta({ id: 'ConstitutionDifference' });

/** How a version would have judged the content written in a stretch of history. `differences` are the first thousand. */
export const ConstitutionBacktest = z.object({
  constitutionId: z.string(),
  hash: z.string(),
  examined: z.int(),
  differing: z.int(),
  differences: z.array(ConstitutionDifference),
}).meta({ id: 'ConstitutionBacktest' });
export type ConstitutionBacktest = z.infer<typeof ConstitutionBacktest>;
export type ConstitutionDifference = z.infer<typeof ConstitutionDifference>;
export type ConstitutionSide = z.infer<typeof Side>;
