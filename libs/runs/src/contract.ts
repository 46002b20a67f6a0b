export {
  ApprovalPolicy, Budget, Envelope, NOTHING_SPENT, RUN_RISKS, RUN_STATUSES, STOP_REASONS, StopReason, type Spent,
} from './budget.schema';
export { runEvents, type RunEvent } from './run.events';
export { runPayloads, subjectOfRun } from './run-payloads.policy';
export { callIn, NO_CALLS, recordOf, type Call, type CallKey, type ClosedCall, type OpenCall, type SettledCall } from './run-calls.state';
export {
  callsInFlight, isFinished, isLive, isOpened, openApprovalsOf, openCallsOf, run, type FinishedRun, type LiveRun, type OpenedRun, type QueuedRun, type Run,
} from './run.state';
export { endingEvents, endOfDeniedTask, supersededBy, type Ending } from './run-ending.policy';
export { claimRun, releaseRun } from './claim-run/claim-run.decide';
export { CancelRunBody, CompleteRunBody, EndRun, FailRunBody, type EndedRun } from './end-run/end-run.command';
export { QUEUE_TIMEOUT_MS, runDeadlines } from './run-deadlines/run-deadlines.process';
export { RunEventView } from './run-events/run-event.view';
export { RunRow } from './run-list/run-row.view';
export { GetRun } from './run-view/get-run.query';
export { runView, RunView } from './run-view/run.view';
export { StopRun } from './stop-run/stop-run.command';
