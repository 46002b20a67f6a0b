import { Module } from '@nestjs/common';
import { ActivateConstitutionHandler } from './activate-constitution/activate-constitution.handler';
import { BacktestConstitutionHandler } from './backtest-constitution/backtest-constitution.handler';
import { BacktestEvaluatorsHandler } from './backtest-constitution/backtest-evaluators.handler';
import { ContentBacktest } from './backtest-constitution/content-backtest';
import { GetConstitutionHandler, ListConstitutionsHandler } from './constitution-list/constitution-queries.handler';
import { ConstitutionsController } from './constitution-list/constitutions.controller';
import { Constitutions } from './constitutions';
import { LlmJudge } from './contract';
import { DraftConstitutionHandler } from './draft-constitution/draft-constitution.handler';
import { DryRunConstitutionHandler } from './dry-run-constitution/dry-run-constitution.handler';
import { EvaluateForRunHandler } from './evaluate-for-run/evaluate-for-run.handler';
import { NoLlmJudge } from './no-llm-judge';

@Module({
  controllers: [ConstitutionsController],
  providers: [
    Constitutions, ContentBacktest, BacktestEvaluatorsHandler, DraftConstitutionHandler, DryRunConstitutionHandler, BacktestConstitutionHandler, ActivateConstitutionHandler,
    ListConstitutionsHandler, GetConstitutionHandler, EvaluateForRunHandler, { provide: LlmJudge, useClass: NoLlmJudge },
  ],
})
export class ConstitutionModule {}
