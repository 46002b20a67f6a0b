import { Command, type Context, type Outcome, type Principal } from '@app/kernel';
import { FREEZE_SCOPES } from '@app/governance/contract';
import { z } from 'zod';

/** `targetId` is the id of the run or intent, or the name of the role; a site freezes itself. */
export const KillBody = z.strictObject({
  scope: z.enum(FREEZE_SCOPES),
  targetId: z.string().min(1).max(200).optional(),
  reason: z.string().trim().min(1).max(2_000).optional(),
}).meta({ id: 'Kill' });
export type KillBody = z.infer<typeof KillBody>;

export type Frozen = { readonly freezeId: string };

/** Freezes an intent, a role or the site. The position of the answer is where the freeze is in force. */
export class FreezeScope extends Command<Outcome<Frozen>> {
  constructor(
    readonly body: KillBody & { readonly scope: 'intent' | 'role' | 'site' },
    readonly principal: Principal,
    readonly context: Context,
  ) {
    super();
  }
}
