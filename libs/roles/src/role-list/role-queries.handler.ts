import { QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { Executor } from '@app/event-store';
import { governance } from '@app/governance/contract';
import { missing, type Outcome } from '@app/kernel';
import { GetRole, ListRoles } from './role-queries.query';
import { roleOf, roleView, type RoleView } from './role.view';

@QueryHandler(ListRoles)
export class ListRolesHandler implements IQueryHandler<ListRoles> {
  constructor(private readonly executor: Executor) {}

  /** From the governance state itself, which is what the door reads. */
  async execute({ siteId, page: { limit, cursor = '' } }: ListRoles) {
    const { state, position } = await this.executor.current(governance, siteId);
    const known = state.status === 'site' ? Object.values(state.roles).filter(({ name }) => name > cursor) : [];
    const sorted = known.toSorted((a, b) => (a.name < b.name ? -1 : 1));
    const rows = sorted.slice(0, limit).map(roleView);
    return { rows, nextCursor: sorted.length > limit ? rows.at(-1)!.name : null, position };
  }
}

@QueryHandler(GetRole)
export class GetRoleHandler implements IQueryHandler<GetRole> {
  constructor(private readonly executor: Executor) {}

  async execute({ siteId, name }: GetRole): Promise<Outcome<RoleView>> {
    const { state, position } = await this.executor.current(governance, siteId);
    const role = roleOf(state, name);
    return role ? { ok: true, data: roleView(role), position } : missing();
  }
}
