import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Executor } from '@app/event-store';
import type { Outcome } from '@app/kernel';
import { userIdOf } from '../user-id';
import { user } from '../user.state';
import { userAnswer, type UserView } from '../user-list/user.view';
import { InviteUser } from './invite-user.command';
import { inviteUser } from './invite-user.decide';

@CommandHandler(InviteUser)
export class InviteUserHandler implements ICommandHandler<InviteUser> {
  constructor(private readonly executor: Executor) {}

  /** The id is made from the address, so the log itself keeps two from having one. */
  async execute({ body, inviter, context }: InviteUser): Promise<Outcome<UserView>> {
    const userId = userIdOf(context.siteId, body.email);
    const done = await this.executor.execute({ user: { aggregate: user, id: userId } }, context, (states) => inviteUser(states.user, userId, body, inviter, context));
    return done.ok ? userAnswer(done.states.user, done.position, context) : done;
  }
}
