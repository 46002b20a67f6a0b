import { Capability } from '@app/governance/contract';
import { Command, type Context, type Outcome, type Principal } from '@app/kernel';
import { z } from 'zod';
import { Email, PersonName } from '../user.schema';
import type { UserView } from '../user-list/user.view';

const Roles = z.array(z.enum(['admin', 'veto'])).max(2);

/** `capabilities` and `roles` are what the person may do at most, whatever key they use. */
export const InviteUserBody = z.strictObject({ email: Email, name: PersonName, capabilities: z.array(Capability).max(100).default([]), roles: Roles.default([]) }).meta({ id: 'InviteUser' });
export type InviteUserBody = z.infer<typeof InviteUserBody>;

export class InviteUser extends Command<Outcome<UserView>> {
  constructor(
    readonly body: InviteUserBody,
    readonly inviter: Principal,
    readonly context: Context,
  ) {
    super();
  }
}
