export {
  ApprovalPolicy, Budget, Envelope, NOTHING_SPENT, RUN_RISKS, RUN_STATUSES, STOP_REASONS, StopReason, type Spent,
} from './budget.schema';
export { runEvents, type RunEvent } from './run.events';
export {
  callsInFlight, callsOf, isFinished, isLive, openApprovalsOf, run, type Call, type FinishedRun, type LiveRun, type Run,
} from './run.state';
export { endingEvents, supersededBy, type Ending } from './run-ending.policy';
export { CancelRunBody, CompleteRunBody, EndRun, FailRunBody, type EndedRun } from './end-run/end-run.command';
export { RunEventView } from './run-events/run-event.view';
export { RunRow } from './run-list/run-row.view';
export { GetRun } from './run-view/get-run.query';
export { runView, RunView } from './run-view/run.view';
