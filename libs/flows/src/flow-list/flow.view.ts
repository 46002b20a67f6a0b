import { z } from 'zod';
import { FLOW_CAUSES, FLOW_OPERATIONS, FlowOperations, FlowTrigger } from '../flow.schema';
import type { KnownFlow } from '../flow.state';

const Result = z.object({ operation: z.enum(FLOW_OPERATIONS), tool: z.string(), callId: z.string(), status: z.string(), reason: z.string().nullable() });

/** `principalId` is whom the flow acts as. `running` is the occurrence under way, `lastRun` the last one that ended. */
export const FlowView = z.object({
  id: z.string(),
  name: z.string(),
  enabled: z.boolean(),
  trigger: FlowTrigger,
  operations: FlowOperations,
  capabilities: z.array(z.string()),
  agentRole: z.string().nullable(),
  principalId: z.string(),
  nextRunAt: z.string().nullable(),
  running: z.object({ occurrenceId: z.string(), goalId: z.string(), runId: z.string(), cause: z.enum(FLOW_CAUSES), startedAt: z.string() }).nullable(),
  lastRun: z.object({
    occurrenceId: z.string(), goalId: z.string(), runId: z.string(), status: z.enum(['succeeded', 'failed']), results: z.array(Result), reason: z.string().nullable(), endedAt: z.string(),
  }).nullable(),
  createdAt: z.string(),
  changedAt: z.string(),
}).meta({ id: 'Flow' });
export type FlowView = Readonly<z.infer<typeof FlowView>>;

export const flowView = ({ flowId: id, siteId: _site, status: _status, open, lastRun, ...flow }: KnownFlow): FlowView => ({
  id,
  ...flow,
  running: open && { occurrenceId: open.occurrenceId, goalId: open.goalId, runId: open.runId, cause: open.cause, startedAt: open.at },
  lastRun: lastRun && (({ at: endedAt, ...ran }) => ({ ...ran, endedAt }))(lastRun),
});
