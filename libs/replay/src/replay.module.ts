import { Module, type DynamicModule } from '@nestjs/common';
import { BacktestController } from './backtest/backtest.controller';
import { BacktestHandler } from './backtest/backtest.handler';
import { Aggregates, type AnyAggregate } from './moment/aggregates';
import { AtController } from './moment/at.controller';
import { GetApprovalAtHandler, GetAutonomyAtHandler, GetGovernanceAtHandler, GetRunAtHandler, GetStreamAtHandler } from './moment/at.handlers';
import { GetGovernanceSnapshotHandler } from './snapshot/governance-snapshot.handler';
import { SnapshotController } from './snapshot/snapshot.controller';
import { VerifyDecisionsController } from './verify/verify-decisions.controller';
import { VerifyDecisionsHandler } from './verify/verify-decisions.handler';

export type ReplayOptions = {
  /** How the streams of every category fold. */
  readonly aggregates: readonly AnyAggregate[];
};

/** The application provides `EventStore`, of which only the reading half is seen here, and `ActionPreparer`. */
@Module({})
export class ReplayModule {
  static register({ aggregates }: ReplayOptions): DynamicModule {
    return {
      module: ReplayModule,
      controllers: [AtController, SnapshotController, VerifyDecisionsController, BacktestController],
      providers: [
        { provide: Aggregates, useValue: new Aggregates(aggregates) },
        GetStreamAtHandler, GetRunAtHandler, GetApprovalAtHandler, GetGovernanceAtHandler, GetAutonomyAtHandler, GetGovernanceSnapshotHandler,
        VerifyDecisionsHandler, BacktestHandler,
      ],
    };
  }
}
