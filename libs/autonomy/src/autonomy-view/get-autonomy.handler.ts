import { QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { Bus } from '@app/cqrs';
import { Executor } from '@app/event-store';
import { governance, grantedLevel } from '@app/governance/contract';
import { missing, type Outcome } from '@app/kernel';
import { GetTrustEvidence, ListOpenIncidents } from '@app/trust/contract';
import { GetAutonomy } from './autonomy-queries.query';
import { grantView, type AutonomyView } from './grant.view';

@QueryHandler(GetAutonomy)
export class GetAutonomyHandler implements IQueryHandler<GetAutonomy> {
  constructor(
    private readonly executor: Executor,
    private readonly bus: Bus,
  ) {}

  async execute({ siteId, now, minPosition }: GetAutonomy): Promise<Outcome<AutonomyView>> {
    const { state, position } = await this.executor.current(governance, siteId);
    if (state.status === 'none') return missing();
    const counting = Object.values(state.grants).filter(({ agentRole, capability }) => grantedLevel(state, agentRole, capability, now) !== undefined);
    const key = ({ agentRole, capability }: { agentRole: string; capability: string }) => `${agentRole}|${capability}`;
    const counted = counting.toSorted((a, b) => (key(a) < key(b) ? -1 : 1)).map(grantView);
    const incidents = await this.bus.ask(new ListOpenIncidents(siteId, minPosition));
    const evidence = await this.bus.ask(new GetTrustEvidence(siteId, counted, state.settings.promotion, incidents, minPosition));
    const grants = counted.map((grant, n) => ({ siteId, ...grant, evidence: evidence[n]! }));
    return { ok: true, data: { grants, incidents: [...incidents] }, position };
  }
}
