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

const HeaderName = z.string().regex(/^[A-Za-z0-9-]{1,64}$/, 'Must be a header name');

export const TOOL_KINDS = ['skill', 'http', 'mcp', 'worker', 'client'] as const;

/** Where the handler of an `http` tool lives. Secrets travel by name (`secret://name`) and are put in only when the request is sent. */
export const HttpTarget = z.strictObject({
  url: z.url({ protocol: /^https?$/ }).max(2_000),
  method: z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']).optional(),
  headers: z.record(HeaderName, z.string().max(2_000)).optional(),
  auth: z.string().regex(/^secret:\/\/[A-Za-z0-9_.-]{1,64}$/, 'Must look like secret://name').optional(),
});
/** A worker that takes a call holds it for `leaseMs` milliseconds and renews that by a heartbeat. */
export const WorkerTarget = z.strictObject({ leaseMs: z.int().min(1_000).max(3_600_000) });
/** `digest` is the sha256 of the upstream's own definition as it was reviewed. */
export const McpTarget = z.strictObject({ server: z.string().regex(/^[A-Za-z][A-Za-z0-9_-]{0,63}$/, 'Must be a server name'), tool: z.string().min(1).max(200), digest: z.string().max(80).optional() });

/** Metadata of a tool as registered. Without a risk and a capability there is no registration: nothing runs by default. */
export const ToolDefinition = ToolGovernance.extend({
  name: ToolName,
  kind: z.enum(TOOL_KINDS),
  description: z.string().min(1).max(4_000),
  inputSchema: JsonSchema,
  requiredCapabilities: z.array(Capability).min(1).max(20),
  risk: z.enum(TOOL_RISKS),
  irreversible: z.boolean().optional(),
  /** A person is always asked: no level, policy or override of a site lets it run or wait in a veto window by itself. */
  attended: z.boolean().optional(),
  timeoutMs: z.int().min(1).max(600_000).default(DEFAULT_TIMEOUT_MS),
  owner: z.string().min(1).max(200),
  http: HttpTarget.optional(),
  worker: WorkerTarget.optional(),
  mcp: McpTarget.optional(),
});
export type ToolDefinition = z.infer<typeof ToolDefinition>;
