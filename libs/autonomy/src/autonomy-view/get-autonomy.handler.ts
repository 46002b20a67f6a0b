import { QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { Executor } from '@app/event-store';
import { governance, grantedLevel } from '@app/governance/contract';
import { missing, type Outcome } from '@app/kernel';
import { GetAutonomy } from './autonomy-queries.query';
import { grantView, type AutonomyView } from './grant.view';

@QueryHandler(GetAutonomy)
export class GetAutonomyHandler implements IQueryHandler<GetAutonomy> {
  constructor(private readonly executor: Executor) {}

  async execute({ siteId, now }: GetAutonomy): Promise<Outcome<AutonomyView>> {
    const { state, position } = await this.executor.current(governance, siteId);
    if (state.status === 'none') return missing();
    const counting = Object.values(state.grants).filter(({ agentRole, capability }) => grantedLevel(state, agentRole, capability, now) !== undefined);
    const key = ({ agentRole, capability }: { agentRole: string; capability: string }) => `${agentRole}|${capability}`;
    const grants = counting.toSorted((a, b) => (key(a) < key(b) ? -1 : 1)).map(grantView);
    return { ok: true, data: { grants }, position };
  }
}
