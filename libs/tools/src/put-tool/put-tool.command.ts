import { Command, type Context, type Outcome } from '@app/kernel';
import { ToolGovernance } from '@app/governance/contract';
import { z } from 'zod';
import type { ToolView } from '../tool-list/tool.view';

/** Any subset of a registered tool's governance, as data and without a deploy. `enabled` switches the tool on or off for the site. */
export const PutToolBody = ToolGovernance.extend({ enabled: z.boolean().optional() }).meta({ id: 'PutTool' });
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
