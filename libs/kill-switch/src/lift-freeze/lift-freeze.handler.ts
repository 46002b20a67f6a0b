import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Executor } from '@app/event-store';
import { governance } from '@app/governance/contract';
import type { Outcome } from '@app/kernel';
import { LiftFreeze } from './lift-freeze.command';
import { frozenBy, liftFreeze } from './lift-freeze.decide';

@CommandHandler(LiftFreeze)
export class LiftFreezeHandler implements ICommandHandler<LiftFreeze> {
  constructor(private readonly executor: Executor) {}

  async execute(command: LiftFreeze): Promise<Outcome<{ readonly freezeId: string }>> {
    const { context, body } = command;
    let lifted = 'freezeId' in body ? body.freezeId : '';
    const refs = { governance: { aggregate: governance, id: context.siteId } };
    const done = await this.executor.execute(refs, context, ({ governance: state }) => {
      lifted = (state.status === 'site' && frozenBy(state, body)?.freezeId) || lifted;
      return liftFreeze(state, command);
    });
    return done.ok ? { ok: true, data: { freezeId: lifted }, position: done.position } : done;
  }
}
