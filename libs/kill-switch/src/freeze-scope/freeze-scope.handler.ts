import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Executor, newEventId } from '@app/event-store';
import { governance } from '@app/governance/contract';
import { missing, type Outcome } from '@app/kernel';
import { FreezeScope, type Frozen } from './freeze-scope.command';
import { freezeIn, freezeScope } from './freeze-scope.decide';

@CommandHandler(FreezeScope)
export class FreezeScopeHandler implements ICommandHandler<FreezeScope> {
  constructor(private readonly executor: Executor) {}

  async execute(command: FreezeScope): Promise<Outcome<Frozen>> {
    const { context, body } = command;
    const freezeId = newEventId();
    const refs = { governance: { aggregate: governance, id: context.siteId } };
    const done = await this.executor.execute(refs, context, ({ governance: state }) => freezeScope(state, command, freezeId));
    if (!done.ok) return done;
    const state = done.states.governance;
    const freeze = state.status === 'site' ? freezeIn(state, body.scope, body.scope === 'site' ? null : body.targetId!) : undefined;
    // A repeated order whose freeze has been lifted since finds none; what it did is on record all the same.
    return freeze ? { ok: true, data: { freezeId: freeze.freezeId }, position: done.position } : missing();
  }
}
