import { z } from 'zod';
import type { RecordedDecision } from '../redecide/decision-event.policy';

/** A decision of the door with everything it was taken on, beside the run and the governance of that version. */
export const DecisionView = z.object({
  position: z.string(),
  version: z.int(),
  eventId: z.string(),
  type: z.string(),
  occurredAt: z.string(),
  callId: z.string(),
  tool: z.string(),
  governanceVersion: z.int(),
  inputs: z.record(z.string(), z.json()),
}).meta({ id: 'Decision' });
export type DecisionView = z.infer<typeof DecisionView>;

export const decisionView = ({ position, version, eventId, type, occurredAt, data }: RecordedDecision): DecisionView => ({
  position: String(position), version, eventId, type, occurredAt, callId: data.callId, tool: data.tool, governanceVersion: data.governanceVersion,
  inputs: data.inputs as DecisionView['inputs'],
});

/** Of which moment a view is: the last event that belongs to it. */
export const AsOf = z.object({ version: z.int(), position: z.string(), occurredAt: z.string() }).meta({ id: 'AsOf' });
export const asOf = ({ version, position, occurredAt }: { version: number; position: bigint; occurredAt: string }): z.infer<typeof AsOf> => ({
  version, position: String(position), occurredAt,
});
