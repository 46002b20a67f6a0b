import { QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { Executor } from '@app/event-store';
import type { Outcome } from '@app/kernel';
import { ReadModels } from '@app/projections';
import { liveFlow } from '../live-flow.policy';
import { flow } from '../flow.state';
import { GetFlow, ListFlows } from './flow-queries.query';
import { flowView, type FlowView } from './flow.view';
import { flows } from './flows.projection';

@QueryHandler(ListFlows)
export class ListFlowsHandler implements IQueryHandler<ListFlows> {
  constructor(private readonly reads: ReadModels) {}

  async execute({ siteId, page: { limit, cursor, minPosition } }: ListFlows) {
    if (minPosition !== undefined) await this.reads.reached(flows, minPosition);
    const page = await this.reads.list(flows, { siteId, limit, ...(cursor !== undefined && { cursor }) });
    return { ...page, rows: page.rows.flatMap(({ flow: state }) => (state.status === 'none' ? [] : [flowView(state)])) };
  }
}

@QueryHandler(GetFlow)
export class GetFlowHandler implements IQueryHandler<GetFlow> {
  constructor(private readonly executor: Executor) {}

  /** From the log, so that a flow can be looked at as soon as it was defined or run. */
  async execute({ flowId, siteId }: GetFlow): Promise<Outcome<FlowView>> {
    const { state, position } = await this.executor.current(flow, flowId);
    const found = liveFlow(state, siteId);
    return found.ok ? { ok: true, data: flowView(found.flow), position } : found;
  }
}
