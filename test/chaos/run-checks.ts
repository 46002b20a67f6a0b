import type { EventRow } from './event-row';

const ENDS = new Set(['RunSucceeded', 'RunFailed', 'RunCancelled']);
const MOVES = new Set([...ENDS, 'RunStarted', 'RunParked', 'RunResumed', 'LeaseTaken', 'ToolCallAuthorised', 'ToolCallParked', 'ToolCallStaged']);
const VERDICTS = new Set(['ApprovalApproved', 'ApprovalRejected', 'ApprovalExpired', 'ApprovalSuperseded']);
const COMMITS = new Set(['StagingCommitted', 'StagingCommittedPartially', 'StagingVetoed', 'StagingAbandoned']);

/** No run leaves a terminal status, no question is answered twice, no staged change ends twice. */
export const endedOnce = (rows: readonly EventRow[]): string[] => {
  const violations: string[] = [];
  const ended = new Map<string, string>();
  for (const { position, stream_id: stream, type } of rows) {
    const once = (set: ReadonlySet<string>, moves: ReadonlySet<string>, what: string) => {
      const before = ended.get(stream);
      if (before && moves.has(type)) violations.push(`${what} ${stream} was over with ${before} and has ${type} at ${position}`);
      if (set.has(type)) ended.set(stream, `${type} at ${position}`);
    };
    if (stream.startsWith('run-')) once(ENDS, MOVES, 'Run');
    else if (stream.startsWith('staging-')) once(COMMITS, COMMITS, 'Staging');
    else if (stream.startsWith('approval-')) {
      // What was approved did not happen: everybody is asked anew.
      if (type === 'ApprovedCallFailed') ended.delete(stream);
      else once(VERDICTS, VERDICTS, 'Approval');
    }
  }
  return violations;
};

/** Status of every run whose task the queue carries out, as the log tells it. */
export const statusesOf = (rows: readonly EventRow[], runs: ReadonlySet<string>): ReadonlyMap<string, string> => {
  const statuses = new Map<string, string>([...runs].map((runId) => [runId, 'missing']));
  const next: Readonly<Record<string, string>> = {
    RunQueued: 'queued', RunStarted: 'running', RunParked: 'awaiting_approval', RunResumed: 'running', RunSucceeded: 'succeeded', RunFailed: 'failed', RunCancelled: 'cancelled',
  };
  for (const { stream_id: stream, type } of rows) {
    const runId = stream.slice(4);
    const status = next[type];
    if (status && stream.startsWith('run-') && statuses.has(runId)) statuses.set(runId, status);
  }
  return statuses;
};
