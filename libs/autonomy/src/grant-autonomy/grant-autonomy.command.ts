import { Capability, HIGHEST_LEVEL } from '@app/governance/contract';
import { Command, type Context, type Outcome, type Principal } from '@app/kernel';
import { z } from 'zod';
import type { GrantView } from '../autonomy-view/grant.view';

/** Without `expiresAt` the grant lasts until it is changed. */
export const GrantAutonomyBody = z.strictObject({
  agentRole: z.string().trim().min(1).max(100),
  capability: Capability.refine((capability) => capability !== '*', 'One capability; a level is looked up by a tool\'s first one'),
  level: z.int().min(0).max(HIGHEST_LEVEL),
  expiresAt: z.iso.datetime({ offset: true }).optional(),
}).meta({ id: 'GrantAutonomy' });
export type GrantAutonomyBody = z.infer<typeof GrantAutonomyBody>;

export class GrantAutonomy extends Command<Outcome<GrantView>> {
  constructor(
    readonly body: GrantAutonomyBody,
    readonly granter: Principal,
    readonly context: Context,
  ) {
    super();
  }
}
