import { Capability, TOOL_RISKS } from '@app/governance/contract';
import { Command, type Context, type Outcome } from '@app/kernel';
import { z } from 'zod';
import { McpTransport } from './transport.schema';

/** Letters, digits, `_` and `-`, beginning with a letter: what stands before the dot in the names of the server's tools. */
export const McpServerName = z.string().regex(/^[A-Za-z][A-Za-z0-9_-]{0,63}$/, 'Letters, digits, _ and -, beginning with a letter, at most 64');

/**
 * `prefix` begins each tool's own name: with `v2_` a tool `search` of `docs` becomes `docs.v2_search`. `defaults` hold for tools that are new
 * on this site; without them the risk comes from the annotations and the capability is `mcp:<server>`.
 */
export const ImportMcpBody = z.strictObject({
  server: McpServerName,
  transport: McpTransport,
  prefix: z.string().regex(/^[A-Za-z0-9_-]{0,32}$/, 'Letters, digits, _ and -, at most 32').optional(),
  defaults: z.strictObject({ risk: z.enum(TOOL_RISKS).optional(), requiredCapabilities: z.array(Capability).min(1).max(20).optional() }).optional(),
}).meta({ id: 'ImportMcpServer' });
export type ImportMcpBody = z.infer<typeof ImportMcpBody>;

/** `changed` tools are disabled until an admin enables them again; `findings` are what made descriptions or names suspicious. */
export const McpImport = z.object({
  imported: z.array(z.string()),
  changed: z.array(z.string()),
  skipped: z.array(z.object({ name: z.string(), reason: z.string() })),
  findings: z.array(z.object({ tool: z.string(), finding: z.string() })),
}).meta({ id: 'McpImport' });
export type McpImport = z.infer<typeof McpImport>;

/** `platformAdmin`: the caller may have programs started on this machine. */
export class ImportMcpServer extends Command<Outcome<McpImport>> {
  constructor(
    readonly body: ImportMcpBody,
    readonly platformAdmin: boolean,
    readonly context: Context,
  ) {
    super();
  }
}
