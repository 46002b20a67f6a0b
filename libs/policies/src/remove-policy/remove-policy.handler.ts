import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Executor } from '@app/event-store';
import { governance } from '@app/governance/contract';
import type { Outcome } from '@app/kernel';
import type { PoliciesView } from '../policies.view';
import { lintFactsOf, policiesView } from '../site-facts';
import { RemovePolicy } from './remove-policy.command';
import { removePolicy } from './remove-policy.decide';

@CommandHandler(RemovePolicy)
export class RemovePolicyHandler implements ICommandHandler<RemovePolicy> {
  constructor(private readonly executor: Executor) {}

  async execute({ body, context }: RemovePolicy): Promise<Outcome<PoliciesView>> {
    const refs = { governance: { aggregate: governance, id: context.siteId } };
    const done = await this.executor.execute(refs, context, ({ governance: state }) => removePolicy(state, body, lintFactsOf(state)));
    return done.ok ? { ok: true, data: policiesView(done.states.governance, done.versions.governance), position: done.position } : done;
  }
}
