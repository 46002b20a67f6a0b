import { eventFamily, type EventOf } from '@app/kernel';
import { z } from 'zod';
import { FLOW_CAUSES, FLOW_OPERATIONS, FlowCapabilities, FlowName, FlowOperations, FlowTrigger } from './flow.schema';

const Shape = {
  name: FlowName,
  enabled: z.boolean(),
  trigger: FlowTrigger,
  operations: FlowOperations,
  capabilities: FlowCapabilities,
  /** When its schedule is due next; null for a flow that waits for events or is switched off. */
  nextRunAt: z.string().nullable(),
  at: z.string(),
};
const Result = z.strictObject({ operation: z.enum(FLOW_OPERATIONS), tool: z.string(), callId: z.string(), status: z.string(), reason: z.string().nullable() });

export const flowEvents = eventFamily('flow', {
  FlowDefined: z.strictObject({ flowId: z.string(), siteId: z.string(), principalId: z.string(), agentRole: z.string().nullable(), ...Shape }),
  FlowChanged: z.strictObject(Shape),
  FlowDeleted: z.strictObject({ at: z.string() }),
  /** One occurrence of the flow: its goal and run have the ids told here. */
  FlowStarted: z.strictObject({
    occurrenceId: z.string(), goalId: z.string(), runId: z.string(), cause: z.enum(FLOW_CAUSES), nextRunAt: z.string().nullable(), at: z.string(),
  }),
  /** Operations behind one that failed were not tried. */
  FlowRan: z.strictObject({
    occurrenceId: z.string(), goalId: z.string(), runId: z.string(), status: z.enum(['succeeded', 'failed']), results: z.array(Result), reason: z.string().nullable(), at: z.string(),
  }),
});
export type FlowEvent = EventOf<typeof flowEvents>;
