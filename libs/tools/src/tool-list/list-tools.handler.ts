import { QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { Executor } from '@app/event-store';
import { governance, toolsOf } from '@app/governance/contract';
import { ListTools } from './list-tools.query';
import { toolView } from './tool.view';

@QueryHandler(ListTools)
export class ListToolsHandler implements IQueryHandler<ListTools> {
  constructor(private readonly executor: Executor) {}

  /** From the governance state itself, so the list can never differ from what the door applies. The cursor is the last name. */
  async execute({ siteId, page: { limit, cursor = '', disabled } }: ListTools) {
    const { state, position } = await this.executor.current(governance, siteId);
    const tools = toolsOf(state).filter(({ name, enabled }) => (enabled || disabled) && name > cursor);
    const sorted = tools.toSorted((a, b) => (a.name < b.name ? -1 : 1));
    const rows = sorted.slice(0, limit).map(toolView);
    return { rows, nextCursor: sorted.length > limit ? rows.at(-1)!.name : null, position };
  }
}
