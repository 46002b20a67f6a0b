import { Capability, ToolName } from '@app/governance/contract';
import { z } from 'zod';

const Arguments = z.record(z.string(), z.json()).default({});

/** One step of a flow. Every one of them becomes a tool call on the flow's run, so nothing here reaches anything beside the door. */
export const FlowOperation = z.discriminatedUnion('do', [
  /** Looks for drift of one intent now. */
  z.strictObject({ do: z.literal('drift-scan'), intentId: z.string().regex(/^int_[0-9a-f]{32}$/, 'Must be the id of an intent') }),
  /** Proposes promotions that have been earned. */
  z.strictObject({ do: z.literal('trust-promote-check') }),
  /** Commits staged changes that are due and whose deadline was lost. */
  z.strictObject({ do: z.literal('veto-sweep') }),
  /** Calls an outside address: a registered tool of kind `http`, which holds the address and the secrets. */
  z.strictObject({ do: z.literal('webhook'), tool: ToolName, arguments: Arguments }),
  z.strictObject({ do: z.literal('run-skill'), tool: ToolName, arguments: Arguments }),
]);
export type FlowOperation = z.infer<typeof FlowOperation>;
export const FLOW_OPERATIONS = ['drift-scan', 'trust-promote-check', 'veto-sweep', 'webhook', 'run-skill'] as const;

/** When a flow runs: by a schedule in a zone, or whenever an event of one of the types is written on its site. */
export const FlowTrigger = z.discriminatedUnion('on', [
  z.strictObject({ on: z.literal('cron'), expression: z.string().min(1).max(200), tz: z.string().min(1).max(64).default('UTC') }),
  z.strictObject({ on: z.literal('event'), types: z.array(z.string().regex(/^[A-Z][A-Za-z]{2,63}$/, 'Must be an event type, e.g. ItemPatched')).min(1).max(20) }),
]);
export type FlowTrigger = z.infer<typeof FlowTrigger>;

export const FlowName = z.string().trim().min(1).max(200);
export const FlowOperations = z.array(FlowOperation).min(1).max(20);
export const FlowCapabilities = z.array(Capability).max(100);
/** What started a flow: its trigger, or somebody. */
export const FLOW_CAUSES = ['cron', 'event', 'manual'] as const;
