import { Command, type Context, type Outcome } from '@app/kernel';
import { ToolDefinition, ToolGovernance } from '@app/governance/contract';
import { z } from 'zod';
import type { ToolView } from '../tool-list/tool.view';

const { kind, irreversible, http, worker, mcp } = ToolDefinition.shape;

/**
 * With a `kind`: the whole registration of a tool of the site's own; what is not given has its default. Without: any subset of a registered
 * tool's governance, as data and without a deploy. `enabled` switches the tool on or off for the site.
 */
export const PutToolBody = ToolGovernance.extend({ enabled: z.boolean().optional(), kind: kind.optional(), irreversible, http, worker, mcp }).meta({ id: 'PutTool' });
export type PutToolBody = z.infer<typeof PutToolBody>;

export class PutTool extends Command<Outcome<ToolView>> {
  constructor(
    readonly name: string,
    readonly body: PutToolBody,
    readonly context: Context,
  ) {
    super();
  }
}
