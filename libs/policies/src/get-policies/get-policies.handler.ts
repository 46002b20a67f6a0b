import { QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { Executor } from '@app/event-store';
import { governance } from '@app/governance/contract';
import type { Outcome } from '@app/kernel';
import type { PoliciesView } from '../policies.view';
import { policiesView } from '../site-facts';
import { GetPolicies } from './get-policies.query';

@QueryHandler(GetPolicies)
export class GetPoliciesHandler implements IQueryHandler<GetPolicies> {
  constructor(private readonly executor: Executor) {}

  async execute({ siteId }: GetPolicies): Promise<Outcome<PoliciesView>> {
    const { state, version, position } = await this.executor.current(governance, siteId);
    return { ok: true, data: policiesView(state, version), position };
  }
}
