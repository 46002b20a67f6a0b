import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Executor } from '@app/event-store';
import { accept, missing, type Context, type Outcome, type Principal } from '@app/kernel';
import { isUsable, principal } from '@app/sites/contract';
import { approval } from '../approval.state';
import { ActOnApproval, type ActedApproval } from './act-on-approval.command';
import { actedView, actOnApproval } from './act-on-approval.decide';

@CommandHandler(ActOnApproval)
export class ActOnApprovalHandler implements ICommandHandler<ActOnApproval> {
  constructor(private readonly executor: Executor) {}

  async execute({ approvalId, act, context, reviewer }: ActOnApproval): Promise<Outcome<ActedApproval>> {
    const delegate = act.do === 'delegate' ? await this.personOfSite(act.to, context) : null;
    const done = await this.executor.execute({ approval: { aggregate: approval, id: approvalId } }, context, ({ approval: state }) => {
      if (state.status !== 'none' && state.request.siteId !== context.siteId) return missing();
      const decided = actOnApproval(state, act, reviewer, delegate, context.now);
      return decided.ok ? accept({ approval: decided.events }) : decided;
    });
    if (!done.ok) return done;
    const { approval: state } = done.states;
    return state.status === 'none' ? missing() : { ok: true, data: actedView(approvalId, state), position: done.position };
  }

  private async personOfSite(principalId: string, { siteId, now }: Context): Promise<Principal | null> {
    const { state } = await this.executor.current(principal, principalId);
    return state.status === 'known' && isUsable(state, now) && state.principal.sites.includes(siteId) ? state.principal : null;
  }
}
