import { z } from 'zod';
import { Evaluator } from '../evaluator.schema';

export const CONSTITUTION_STATUSES = ['draft', 'active', 'archived'] as const;

const DryRunSummary = z.object({ at: z.string(), examined: z.int(), blocked: z.int(), warned: z.int() }).meta({ id: 'DryRunSummary' });

/** One version of a site's evaluators; at most one of them is active. */
export const ConstitutionView = z.object({
  id: z.string(),
  siteId: z.string(),
  hash: z.string(),
  status: z.enum(CONSTITUTION_STATUSES),
  evaluators: z.array(Evaluator).readonly(),
  draftedBy: z.string(),
  draftedAt: z.string(),
  archivedAt: z.string().nullable(),
  replacedBy: z.string().nullable(),
  lastDryRun: DryRunSummary.nullable(),
}).meta({ id: 'Constitution' });
export type ConstitutionView = Readonly<z.infer<typeof ConstitutionView>>;
