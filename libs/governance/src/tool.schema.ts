import { z } from 'zod';

export const TOOL_RISKS = ['read', 'create', 'write', 'destructive'] as const;
export const DEFAULT_TIMEOUT_MS = 30_000;

/** Tool names: a skill's name, or `<server>.<tool>` for imported ones. */
export const ToolName = z.string().regex(/^[A-Za-z][A-Za-z0-9_-]{0,63}(\.[A-Za-z0-9_-]{1,64})?$/, 'Must be a tool name, e.g. updateItem');
export const Capability = z.string().regex(/^(\*|[a-z][a-z0-9-]*:[a-z*][a-z0-9*-]*)$/, 'Must look like items:read');

export const JsonSchema = z.record(z.string(), z.json());

/** What a site may override on any tool, as data. */
export const ToolGovernance = z.strictObject({
  inputSchema: JsonSchema.optional(),
  outputSchema: JsonSchema.optional(),
  requiredCapabilities: z.array(Capability).min(1).max(20).optional(),
  risk: z.enum(TOOL_RISKS).optional(),
  dangerous: z.boolean().optional(),
  idempotent: z.boolean().optional(),
  stageable: z.boolean().optional(),
  timeoutMs: z.int().min(1).max(600_000).optional(),
  rateLimit: z.strictObject({ calls: z.int().min(1), perMs: z.int().min(1) }).optional(),
  /** Estimated cost of one call in US dollars; reserved from the run's budget. */
  costUsd: z.number().min(0).max(10_000).optional(),
  /** The result is an artifact: its canonical JSON size counts against `maxArtifactBytes`. */
  artifact: z.boolean().optional(),
  owner: z.string().min(1).max(200).optional(),
  description: z.string().min(1).max(4_000).optional(),
});
export type ToolGovernance = z.infer<typeof ToolGovernance>;

/** Metadata of a tool as registered. Without a risk and a capability there is no registration: nothing runs by default. */
export const ToolDefinition = ToolGovernance.extend({
  name: ToolName,
  kind: z.enum(['skill', 'http', 'mcp', 'worker', 'client']),
  description: z.string().min(1).max(4_000),
  inputSchema: JsonSchema,
  requiredCapabilities: z.array(Capability).min(1).max(20),
  risk: z.enum(TOOL_RISKS),
  irreversible: z.boolean().optional(),
  timeoutMs: z.int().min(1).max(600_000).default(DEFAULT_TIMEOUT_MS),
  owner: z.string().min(1).max(200),
});
export type ToolDefinition = z.infer<typeof ToolDefinition>;
