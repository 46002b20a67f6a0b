import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Executor } from '@app/event-store';
import type { Outcome } from '@app/kernel';
import { withKeys } from '../user-keys/with-keys';
import { RemoveUser, type RemovedUser } from './remove-user.command';
import { removeUser } from './remove-user.decide';

@CommandHandler(RemoveUser)
export class RemoveUserHandler implements ICommandHandler<RemoveUser> {
  constructor(private readonly executor: Executor) {}

  async execute({ userId, remover, context }: RemoveUser): Promise<Outcome<RemovedUser>> {
    const done = await withKeys(this.executor, userId, context, (states) => removeUser(states, remover, context));
    return done.ok ? { ok: true, data: { id: userId, removed: true }, position: done.position } : done;
  }
}
