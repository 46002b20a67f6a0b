import { QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { constitutionHash } from '../constitution-hash';
import { BacktestEvaluators, type EvaluatorsStep } from './backtest-evaluators.query';
import { ContentBacktest } from './content-backtest';

@QueryHandler(BacktestEvaluators)
export class BacktestEvaluatorsHandler implements IQueryHandler<BacktestEvaluators> {
  constructor(private readonly content: ContentBacktest) {}

  execute({ siteId, evaluators, range, signal }: BacktestEvaluators): Promise<AsyncIterable<EvaluatorsStep>> {
    return Promise.resolve(this.content.steps({ hash: constitutionHash(evaluators), evaluators: [...evaluators] }, siteId, range, signal));
  }
}
