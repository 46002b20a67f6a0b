import { Inject } from '@nestjs/common';
import { QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { EventStore } from '@app/event-store';
import { matchesPattern } from '@app/json-schema';
import { ActionPreparer } from '@app/tool-calls/contract';
import type { LogReads } from '../log-reads';
import { walkSite } from '../redecide/replay-walk';
import { backtested } from './backtest';
import { Backtest, type BacktestStep } from './backtest.query';

@QueryHandler(Backtest)
export class BacktestHandler implements IQueryHandler<Backtest> {
  constructor(
    @Inject(EventStore) private readonly log: LogReads,
    private readonly actions: ActionPreparer,
  ) {}

  execute({ siteId, candidate, range, signal }: Backtest): Promise<AsyncIterable<BacktestStep>> {
    const rules = { prepare: this.actions.prepare, matches: matchesPattern };
    return Promise.resolve(backtested(walkSite(this.log, rules, { siteId, ...range, signal }), candidate, rules, signal));
  }
}
