import { Command, type Context, type Outcome, type Principal } from '@app/kernel';
import { z } from 'zod';
import { FlowCapabilities, FlowName, FlowOperations, FlowTrigger } from '../flow.schema';
import type { FlowView } from '../flow-list/flow.view';

/** What is not named stays as it is. An occurrence under way goes on with the operations it began with. */
export const ChangeFlowBody = z.strictObject({
  name: FlowName.optional(),
  trigger: FlowTrigger.optional(),
  operations: FlowOperations.optional(),
  capabilities: FlowCapabilities.optional(),
  enabled: z.boolean().optional(),
}).meta({ id: 'ChangeFlow' });
export type ChangeFlowBody = z.infer<typeof ChangeFlowBody>;

export class ChangeFlow extends Command<Outcome<FlowView>> {
  constructor(
    readonly flowId: string,
    readonly body: ChangeFlowBody,
    readonly changer: Principal,
    readonly context: Context,
  ) {
    super();
  }
}
