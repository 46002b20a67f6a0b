import { eventFamily, type EventOf } from '@app/kernel';
import { z } from 'zod';
import { Evaluators } from './evaluator.schema';

/** A version and what became of it. That it is in force is a fact of the site's governance stream. */
export const constitutionEvents = eventFamily('constitution', {
  ConstitutionDrafted: z.strictObject({ constitutionId: z.string(), siteId: z.string(), hash: z.string(), evaluators: Evaluators }),
  ConstitutionDryRun: z.strictObject({
    hash: z.string(),
    collections: z.array(z.string()),
    examined: z.int(),
    blocked: z.int(),
    warned: z.int(),
  }),
  ConstitutionBacktested: z.strictObject({
    hash: z.string(),
    from: z.string().nullable(),
    to: z.string(),
    examined: z.int(),
    differing: z.int(),
  }),
  ConstitutionArchived: z.strictObject({ hash: z.string(), replacedBy: z.string() }),
});
export type ConstitutionEvent = EventOf<typeof constitutionEvents>;
