import { RoleName } from '@app/governance/contract';
import { Command, type Context, type Outcome, type Principal } from '@app/kernel';
import { z } from 'zod';
import { FlowCapabilities, FlowName, FlowOperations, FlowTrigger } from '../flow.schema';
import type { FlowView } from '../flow-list/flow.view';

/** `capabilities` are what the flow may use at most, and never more than whoever defines it holds; a role narrows them further. */
export const DefineFlowBody = z.strictObject({
  name: FlowName,
  trigger: FlowTrigger,
  operations: FlowOperations,
  capabilities: FlowCapabilities,
  agentRole: RoleName.optional(),
  enabled: z.boolean().default(true),
}).meta({ id: 'DefineFlow' });
export type DefineFlowBody = z.infer<typeof DefineFlowBody>;

export class DefineFlow extends Command<Outcome<FlowView>> {
  constructor(
    readonly body: DefineFlowBody,
    readonly definer: Principal,
    readonly context: Context,
  ) {
    super();
  }
}
