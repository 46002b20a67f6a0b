import { QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { Executor } from '@app/event-store';
import type { Outcome } from '@app/kernel';
import { equalTo, ReadModels } from '@app/projections';
import { user } from '../user.state';
import { GetUser, ListUsers } from './user-queries.query';
import { userAnswer, userView, type UserView } from './user.view';
import { users } from './users.projection';

@QueryHandler(ListUsers)
export class ListUsersHandler implements IQueryHandler<ListUsers> {
  constructor(private readonly reads: ReadModels) {}

  async execute({ siteId, page: { limit, cursor, minPosition, ...equal } }: ListUsers) {
    if (minPosition !== undefined) await this.reads.reached(users, minPosition);
    const page = await this.reads.list(users, { siteId, limit, where: equalTo(equal), ...(cursor !== undefined && { cursor }) });
    return { ...page, rows: page.rows.flatMap(({ person }) => (person.status === 'none' ? [] : [userView(person)])) };
  }
}

@QueryHandler(GetUser)
export class GetUserHandler implements IQueryHandler<GetUser> {
  constructor(private readonly executor: Executor) {}

  async execute({ userId, siteId }: GetUser): Promise<Outcome<UserView>> {
    const { state, position } = await this.executor.current(user, userId);
    return userAnswer(state, position, { siteId });
  }
}
