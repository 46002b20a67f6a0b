import { PolicyRule } from '@app/governance/contract';
import { Command, type Context, type Outcome } from '@app/kernel';
import { z } from 'zod';
import type { PoliciesView } from '../policies.view';

export const RemovePolicyBody = z.strictObject({ name: PolicyRule.shape.name }).meta({ id: 'RemovePolicy' });
export type RemovePolicyBody = z.infer<typeof RemovePolicyBody>;

export class RemovePolicy extends Command<Outcome<PoliciesView>> {
  constructor(
    readonly body: RemovePolicyBody,
    readonly context: Context,
  ) {
    super();
  }
}
