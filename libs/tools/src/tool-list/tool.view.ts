import type { EffectiveTool } from '@app/governance/contract';
import { JsonSchema, TOOL_RISKS } from '@app/governance/contract';
import { z } from 'zod';

/** A tool as the door sees it on this site. `dangerous` is the class the door applies, whatever it was derived from. */
export const ToolView = z.object({
  name: z.string(),
  kind: z.string(),
  description: z.string(),
  inputSchema: JsonSchema,
  outputSchema: JsonSchema.nullable(),
  requiredCapabilities: z.array(z.string()),
  risk: z.enum(TOOL_RISKS),
  dangerous: z.boolean(),
  irreversible: z.boolean(),
  idempotent: z.boolean(),
  stageable: z.boolean(),
  timeoutMs: z.int(),
  rateLimit: z.object({ calls: z.int(), perMs: z.int() }).nullable(),
  costUsd: z.number(),
  owner: z.string(),
  enabled: z.boolean(),
}).meta({ id: 'Tool' });
export type ToolView = z.infer<typeof ToolView>;

export const toolView = (tool: EffectiveTool): ToolView => ({
  name: tool.name,
  kind: tool.kind,
  description: tool.description,
  inputSchema: tool.inputSchema,
  outputSchema: tool.outputSchema ?? null,
  requiredCapabilities: tool.requiredCapabilities,
  risk: tool.risk,
  dangerous: tool.isDangerous,
  irreversible: tool.irreversible ?? false,
  idempotent: tool.idempotent ?? false,
  stageable: tool.stageable ?? false,
  timeoutMs: tool.timeoutMs,
  rateLimit: tool.rateLimit ?? null,
  costUsd: tool.costUsd ?? 0,
  owner: tool.owner,
  enabled: tool.enabled,
});
