import { PolicyRules } from '@app/governance/contract';
import { z } from 'zod';

export const Warning = z.object({ pointer: z.string(), detail: z.string() }).meta({ id: 'PolicyWarning' });

/** The rules in force, in order, and what looks odd about them without being wrong. */
export const PoliciesView = z.object({ rules: PolicyRules, warnings: z.array(Warning), governanceVersion: z.int() }).meta({ id: 'Policies' });
export type PoliciesView = z.infer<typeof PoliciesView>;
