import { FREEZE_SCOPES } from '@app/governance/contract';
import { Command, type Context, type Outcome, type Principal } from '@app/kernel';
import { z } from 'zod';

/** By id, or by what is frozen. */
export const LiftBody = z.union([
  z.strictObject({ freezeId: z.string().min(1).max(100) }),
  z.strictObject({ scope: z.enum(FREEZE_SCOPES), targetId: z.string().min(1).max(200).optional() }),
]).meta({ id: 'Lift' });
export type LiftBody = z.infer<typeof LiftBody>;

export class LiftFreeze extends Command<Outcome<{ readonly freezeId: string }>> {
  constructor(
    readonly body: LiftBody,
    readonly principal: Principal,
    readonly context: Context,
  ) {
    super();
  }
}
