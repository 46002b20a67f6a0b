import { QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { Executor } from '@app/event-store';
import { governance, lackingCapabilities, toolsOf, type EffectiveTool } from '@app/governance/contract';
import { ListTools } from './list-tools.query';
import { toolView } from './tool.view';

@QueryHandler(ListTools)
export class ListToolsHandler implements IQueryHandler<ListTools> {
  constructor(private readonly executor: Executor) {}

  /** From the governance state itself, so the list can never differ from what the door applies. The cursor is the last name. */
  async execute({ siteId, page: { limit, cursor = '', disabled, usableBy } }: ListTools) {
    const { state, position } = await this.executor.current(governance, siteId);
    const isUsable = ({ requiredCapabilities }: EffectiveTool) =>
      usableBy === undefined || (state.status === 'site' && lackingCapabilities(state, usableBy.agentRole, usableBy.bounds, requiredCapabilities).length === 0);
    const tools = toolsOf(state).filter((tool) => (tool.enabled || disabled) && tool.name > cursor && isUsable(tool));
    const sorted = tools.toSorted((a, b) => (a.name < b.name ? -1 : 1));
    const rows = sorted.slice(0, limit).map(toolView);
    return { rows, nextCursor: sorted.length > limit ? rows.at(-1)!.name : null, position };
  }
}
