import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Executor } from '@app/event-store';
import { governance } from '@app/governance/contract';
import type { Outcome } from '@app/kernel';
import type { PoliciesView } from '../policies.view';
import { lintFactsOf, policiesView } from '../site-facts';
import { PutPolicies } from './put-policies.command';
import { putPolicies } from './put-policies.decide';

@CommandHandler(PutPolicies)
export class PutPoliciesHandler implements ICommandHandler<PutPolicies> {
  constructor(private readonly executor: Executor) {}

  async execute({ body, context }: PutPolicies): Promise<Outcome<PoliciesView>> {
    const refs = { governance: { aggregate: governance, id: context.siteId } };
    const done = await this.executor.execute(refs, context, ({ governance: state }) => putPolicies(state, body, lintFactsOf(state)));
    return done.ok ? { ok: true, data: policiesView(done.states.governance, done.versions.governance), position: done.position } : done;
  }
}
