import { z } from 'zod';

const EvaluatorTally = z.object({
  evaluatorId: z.string(),
  severity: z.enum(['blocking', 'warning']),
  examined: z.int(),
  failed: z.int(),
}).meta({ id: 'EvaluatorTally' });

const Finding = z.object({
  collection: z.string(),
  itemId: z.string(),
  evaluatorId: z.string(),
  severity: z.enum(['blocking', 'warning']),
  detail: z.string().nullable(),
}).meta({ id: 'DryRunFinding' });

/**
 * What a version says about the items a site has now. `blocked` items break a blocking evaluator, `warned` ones only others; `findings` are
 * the first failures, `evaluators` count all of them.
 */
export const DryRun = z.object({
  constitutionId: z.string(),
  hash: z.string(),
  collections: z.array(z.string()),
  examined: z.int(),
  blocked: z.int(),
  warned: z.int(),
  evaluators: z.array(EvaluatorTally),
  findings: z.array(Finding),
}).meta({ id: 'ConstitutionDryRun' });
export type DryRun = z.infer<typeof DryRun>;
