import { z } from 'zod';

const Side = z.object({ hash: z.string().nullable(), allowed: z.boolean(), blocking: z.array(z.string()) }).meta({ id: 'BacktestSide' });

const Difference = z.object({
  position: z.string(),
  at: z.string(),
  streamId: z.string(),
  collection: z.string(),
  /** Under the version in force when it was written; a hash of null when none was. */
  before: Side,
  after: Side,
}).meta({ id: 'ConstitutionDifference' });

/** How a version would have judged the content written in a stretch of history. `differences` are the first thousand. */
export const ConstitutionBacktest = z.object({
  constitutionId: z.string(),
  hash: z.string(),
  examined: z.int(),
  differing: z.int(),
  differences: z.array(Difference),
}).meta({ id: 'ConstitutionBacktest' });
export type ConstitutionBacktest = z.infer<typeof ConstitutionBacktest>;
export type ConstitutionDifference = z.infer<typeof Difference>;
export type ConstitutionSide = z.infer<typeof Side>;
