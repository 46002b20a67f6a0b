import { PolicyRules } from '@app/governance/contract';
import { Command, type Context, type Outcome } from '@app/kernel';
import { z } from 'zod';
import type { PoliciesView } from '../policies.view';

/** All rules of the site, in the order in which they are asked. */
export const PutPoliciesBody = z.strictObject({ rules: PolicyRules }).meta({ id: 'PutPolicies' });
export type PutPoliciesBody = z.infer<typeof PutPoliciesBody>;

export class PutPolicies extends Command<Outcome<PoliciesView>> {
  constructor(
    readonly body: PutPoliciesBody,
    readonly context: Context,
  ) {
    super();
  }
}
