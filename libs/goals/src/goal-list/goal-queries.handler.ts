import { QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { EventStore } from '@app/event-store';
import { missing, type Outcome } from '@app/kernel';
import { equalTo, ReadModels } from '@app/projections';
import type { GoalEvent } from '../goal.events';
import { goal, type Goal } from '../goal.state';
import { GetGoal, ListGoals } from './goal-queries.query';
import { goalView, type GoalView } from './goal.view';
import { goals } from './goals.projection';

@QueryHandler(ListGoals)
export class ListGoalsHandler implements IQueryHandler<ListGoals> {
  constructor(private readonly reads: ReadModels) {}

  async execute({ siteId, filter: { limit, cursor, minPosition, ...equal } }: ListGoals) {
    if (minPosition !== undefined) await this.reads.reached(goals, minPosition);
    const page = await this.reads.list(goals, { siteId, limit, where: equalTo(equal), ...(cursor !== undefined && { cursor }) });
    return { ...page, rows: page.rows.map(({ position: _position, ...row }) => row) };
  }
}

@QueryHandler(GetGoal)
export class GetGoalHandler implements IQueryHandler<GetGoal> {
  constructor(private readonly store: EventStore) {}

  /** A goal has a handful of events, so it is read whole: its creation time and site are those of the first one. */
  async execute({ goalId, siteId }: GetGoal): Promise<Outcome<GoalView>> {
    let state: Goal = goal.initial;
    let createdAt = '';
    let position = 0n;
    for await (const event of this.store.read(`goal-${goalId}`)) {
      if (event.siteId !== siteId) return missing();
      state = goal.evolve(state, event as unknown as GoalEvent);
      createdAt ||= event.occurredAt;
      position = event.position;
    }
    return state.status === 'none' ? missing() : { ok: true, data: goalView(state, siteId, createdAt), position };
  }
}
