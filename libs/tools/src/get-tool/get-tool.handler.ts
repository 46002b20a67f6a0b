import { QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { Executor } from '@app/event-store';
import { governance, toolOf } from '@app/governance/contract';
import { missing, type Outcome } from '@app/kernel';
import { GetTool } from './get-tool.query';
import { toolDetail, type ToolDetail } from './tool-detail.view';

@QueryHandler(GetTool)
export class GetToolHandler implements IQueryHandler<GetTool> {
  constructor(private readonly executor: Executor) {}

  async execute({ siteId, name, mayWrite }: GetTool): Promise<Outcome<ToolDetail>> {
    const { state, position } = await this.executor.current(governance, siteId);
    if (state.status === 'none' || !toolOf(state, name)) return missing();
    return { ok: true, data: toolDetail(state.tools[name]!, mayWrite), position };
  }
}
