import { QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { Bus } from '@app/cqrs';
import { Executor } from '@app/event-store';
import { missing } from '@app/kernel';
import { isOpened, run } from '@app/runs/contract';
import { capabilitiesOf, principal as principalAggregate } from '@app/sites/contract';
import { ListTools } from '../tool-list/list-tools.query';
import { ListRunTools } from './list-run-tools.query';

@QueryHandler(ListRunTools)
export class ListRunToolsHandler implements IQueryHandler<ListRunTools> {
  constructor(
    private readonly executor: Executor,
    private readonly bus: Bus,
  ) {}

  /** Measured as the door measures: what the key holds now, what it held when the run was opened, and what the role allows. */
  async execute({ runId, principal, siteId, now, page }: ListRunTools) {
    const { state } = await this.executor.current(run, runId);
    if (!isOpened(state) || state.envelope.context.siteId !== siteId) return missing();
    if (state.envelope.principalId !== principal.id && !principal.roles.includes('admin')) return missing();
    const holder = await this.executor.current(principalAggregate, state.envelope.principalId);
    const usableBy = { agentRole: state.agentRole, bounds: [capabilitiesOf(holder.state, now), state.envelope.capabilities] };
    const listed = await this.bus.ask(new ListTools(siteId, { ...page, disabled: false, usableBy }));
    return { ok: true as const, data: listed, position: listed.position };
  }
}
