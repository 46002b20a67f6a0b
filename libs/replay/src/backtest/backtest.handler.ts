import { Inject } from '@nestjs/common';
import { QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { EventStore } from '@app/event-store';
import { matchesPattern } from '@app/json-schema';
import type { LogReads } from '../log-reads';
import { walkSite } from '../redecide/replay-walk';
import { backtested } from './backtest';
import { Backtest, type BacktestStep } from './backtest.query';

@QueryHandler(Backtest)
export class BacktestHandler implements IQueryHandler<Backtest> {
  constructor(@Inject(EventStore) private readonly log: LogReads) {}

  execute({ siteId, candidate, range, signal }: Backtest): Promise<AsyncIterable<BacktestStep>> {
    return Promise.resolve(backtested(walkSite(this.log, { siteId, ...range, signal }), candidate, matchesPattern, signal));
  }
}
