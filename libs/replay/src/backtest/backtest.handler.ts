import { Inject } from '@nestjs/common';
import { QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { BacktestEvaluators } from '@app/constitution/contract';
import { Bus } from '@app/cqrs';
import { EventStore } from '@app/event-store';
import { matchesPattern } from '@app/json-schema';
import type { LogReads } from '../log-reads';
import { walkSite } from '../redecide/replay-walk';
import { backtested } from './backtest';
import { Backtest, type BacktestStep } from './backtest.query';
import { inTurn } from './candidate-steps';

@QueryHandler(Backtest)
export class BacktestHandler implements IQueryHandler<Backtest> {
  constructor(
    @Inject(EventStore) private readonly log: LogReads,
    private readonly bus: Bus,
  ) {}

  async execute({ siteId, candidate, range, signal }: Backtest): Promise<AsyncIterable<BacktestStep>> {
    const { constitution, policies, roles, grants } = candidate;
    const ofContent = constitution ? [await this.bus.ask(new BacktestEvaluators(siteId, constitution.evaluators, range, signal))] : [];
    const ofDecisions = policies || roles || grants ? [backtested(walkSite(this.log, { siteId, ...range, signal }), candidate, matchesPattern, signal)] : [];
    return inTurn([...ofContent, ...ofDecisions]);
  }
}
