import { z } from 'zod';
import { RULE_TYPES } from '../intent.schema';

export const DRIFT_STATUSES = ['open', 'assigned', 'resolved'] as const;

/** An item that breaks a rule. `id` is its fingerprint, the same whenever it comes back; then it is open again. */
export const DriftView = z.object({
  id: z.string(),
  intentId: z.string(),
  itemId: z.string(),
  ruleType: z.enum(RULE_TYPES),
  ruleKey: z.string(),
  detail: z.string(),
  status: z.enum(DRIFT_STATUSES),
  goalId: z.string().nullable(),
  foundAt: z.string(),
  resolution: z.enum(['repaired', 'gone']).nullable(),
  resolvedAt: z.string().nullable(),
}).meta({ id: 'Drift' });
export type DriftView = Readonly<z.infer<typeof DriftView>>;
