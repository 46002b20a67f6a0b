import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Executor } from '@app/event-store';
import { governance, grantKey } from '@app/governance/contract';
import { missing, type Outcome } from '@app/kernel';
import { grantView, type GrantView } from '../autonomy-view/grant.view';
import { GrantAutonomy } from './grant-autonomy.command';
import { grantAutonomy } from './grant-autonomy.decide';

@CommandHandler(GrantAutonomy)
export class GrantAutonomyHandler implements ICommandHandler<GrantAutonomy> {
  constructor(private readonly executor: Executor) {}

  async execute({ body, granter, context }: GrantAutonomy): Promise<Outcome<GrantView>> {
    const refs = { governance: { aggregate: governance, id: context.siteId } };
    const done = await this.executor.execute(refs, context, ({ governance: state }) => grantAutonomy(state, body, granter, context));
    if (!done.ok) return done;
    const state = done.states.governance;
    const grant = state.status === 'site' ? state.grants[grantKey(body.agentRole, body.capability)] : undefined;
    return grant ? { ok: true, data: grantView(grant), position: done.position } : missing();
  }
}
