/** What other capabilities and the clients may know. */
export { Backtest, BacktestBody, type BacktestStep } from './backtest/backtest.query';
export { BacktestDifference, BacktestResult } from './backtest/backtest.view';
export { Candidate } from './backtest/candidate.schema';
export { DecisionOutcome } from './backtest/outcome.view';
export { GetApprovalAt, GetAutonomyAt, GetGovernanceAt, GetRunAt, GetStreamAt } from './moment/at.query';
export { ApprovalAtView, AutonomyAtView, GovernanceAtView, RunAtView, StreamAtView } from './moment/at.view';
export { DecisionView } from './moment/decision.view';
export type { Moment, Range } from './moment/moment.policy';
export { ReplayMismatch } from './redecide/mismatch.view';
export { GovernanceSnapshot } from './snapshot/governance-snapshot.view';
export { VerifyDecisions, type ReplayProgress, type ReplayStep, type ReplayVerdict } from './verify/verify-decisions.query';
