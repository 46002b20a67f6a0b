import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Executor } from '@app/event-store';
import type { Outcome } from '@app/kernel';
import { withKeys } from '../user-keys/with-keys';
import { userAnswer, type UserView } from '../user-list/user.view';
import { ChangeUser } from './change-user.command';
import { changeUser } from './change-user.decide';

@CommandHandler(ChangeUser)
export class ChangeUserHandler implements ICommandHandler<ChangeUser> {
  constructor(private readonly executor: Executor) {}

  async execute({ userId, body, changer, context }: ChangeUser): Promise<Outcome<UserView>> {
    const done = await withKeys(this.executor, userId, context, (states) => changeUser(states, body, changer, context));
    return done.ok ? userAnswer(done.states.user, done.position, context) : done;
  }
}
