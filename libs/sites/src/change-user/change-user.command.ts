import { Command, type Context, type Outcome, type Principal } from '@app/kernel';
import type { z } from 'zod';
import { InviteUserBody } from '../invite-user/invite-user.command';
import { PersonName } from '../user.schema';
import type { UserView } from '../user-list/user.view';

/** What is not named stays as it is. The address is who the person is, so it does not change. */
export const ChangeUserBody = InviteUserBody.pick({}).extend({
  name: PersonName.optional(),
  capabilities: InviteUserBody.shape.capabilities.unwrap().optional(),
  roles: InviteUserBody.shape.roles.unwrap().optional(),
}).meta({ id: 'ChangeUser' });
export type ChangeUserBody = z.infer<typeof ChangeUserBody>;

export class ChangeUser extends Command<Outcome<UserView>> {
  constructor(
    readonly userId: string,
    readonly body: ChangeUserBody,
    readonly changer: Principal,
    readonly context: Context,
  ) {
    super();
  }
}
