import { z } from 'zod';

/** What one evaluator found. `detail` says why it failed. */
export const EvaluationResult = z.object({
  evaluatorId: z.string(),
  type: z.enum(['rule', 'llm_judge']),
  severity: z.enum(['blocking', 'warning']),
  passed: z.boolean(),
  score: z.number(),
  threshold: z.number(),
  detail: z.string().nullable(),
}).meta({ id: 'EvaluationResult' });
export type EvaluationResult = Readonly<z.infer<typeof EvaluationResult>>;
