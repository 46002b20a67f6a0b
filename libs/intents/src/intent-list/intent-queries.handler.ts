import { QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { Executor } from '@app/event-store';
import { governance } from '@app/governance/contract';
import type { Outcome } from '@app/kernel';
import { equalTo, ReadModels } from '@app/projections';
import { intent } from '../intent.state';
import { intentAnswer, intentView } from './intent-answer';
import { GetIntent, ListIntents, type IntentPage } from './intent-queries.query';
import type { IntentView } from './intent.view';
import { intents } from './intents.projection';

@QueryHandler(ListIntents)
export class ListIntentsHandler implements IQueryHandler<ListIntents> {
  constructor(
    private readonly reads: ReadModels,
    private readonly executor: Executor,
  ) {}

  /** One deleted since the page was read is left out. */
  async execute({ filter: { limit, cursor, minPosition, ...equal }, context: { siteId, now } }: ListIntents): Promise<IntentPage> {
    if (minPosition !== undefined) await this.reads.reached(intents, minPosition);
    const page = await this.reads.list(intents, { siteId, limit, where: equalTo(equal), ...(cursor !== undefined && { cursor }) });
    const { state: site } = await this.executor.current(governance, siteId);
    const states = await Promise.all(page.rows.map(({ id }) => this.executor.current(intent, id)));
    return { ...page, rows: states.flatMap(({ state }) => (state.status === 'live' ? [intentView(state, site, now)] : [])) };
  }
}

@QueryHandler(GetIntent)
export class GetIntentHandler implements IQueryHandler<GetIntent> {
  constructor(private readonly executor: Executor) {}

  async execute({ intentId, context }: GetIntent): Promise<Outcome<IntentView>> {
    const { state, position } = await this.executor.current(intent, intentId);
    const { state: site } = await this.executor.current(governance, context.siteId);
    return intentAnswer({ intent: state, governance: site }, position, context);
  }
}
