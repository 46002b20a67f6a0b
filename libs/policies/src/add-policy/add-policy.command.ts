import { PolicyRule } from '@app/governance/contract';
import { Command, type Context, type Outcome } from '@app/kernel';
import { z } from 'zod';
import type { PoliciesView } from '../policies.view';

/** One more rule: before the rule named, or after all others. */
export const AddPolicyBody = z.strictObject({ rule: PolicyRule, before: PolicyRule.shape.name.optional() }).meta({ id: 'AddPolicy' });
export type AddPolicyBody = z.infer<typeof AddPolicyBody>;

export class AddPolicy extends Command<Outcome<PoliciesView>> {
  constructor(
    readonly body: AddPolicyBody,
    readonly context: Context,
  ) {
    super();
  }
}
