import { QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { Executor } from '@app/event-store';
import { goal } from '@app/goals/contract';
import { governance } from '@app/governance/contract';
import { Clock } from '@app/http';
import { missing, type Outcome } from '@app/kernel';
import { isOpened, run } from '@app/runs/contract';
import { principal } from '@app/sites/contract';
import { ActingPrincipal, type Acting } from './acting-principal.query';
import { narrowedPrincipal } from './narrowed-principal.policy';

@QueryHandler(ActingPrincipal)
export class ActingPrincipalHandler implements IQueryHandler<ActingPrincipal> {
  constructor(
    private readonly executor: Executor,
    private readonly clock: Clock,
  ) {}

  async execute({ runId, siteId }: ActingPrincipal): Promise<Outcome<Acting>> {
    const { state: opened } = await this.executor.current(run, runId);
    if (!isOpened(opened) || opened.envelope.context.siteId !== siteId) return missing();
    const { state: key, position } = await this.executor.current(principal, opened.envelope.principalId);
    if (key.status === 'none') return missing();
    const { state: site } = await this.executor.current(governance, siteId);
    const { state: from } = await this.executor.current(goal, opened.goalId);
    return { ok: true, data: { principal: narrowedPrincipal(key, opened, site, this.clock.now()), origin: from.status === 'none' ? 'user' : from.origin }, position };
  }
}
