import { idOf, type Recorded } from '@app/kernel';
import type { RunEvent } from '@app/runs/contract';

/** The keys of all calls of a run, and those of one call, begin like this. */
export const keysOfRun = (runId: string) => `call:${runId}/`;
export const keysOfCall = (runId: string, callId: string) => `${keysOfRun(runId)}${callId}#`;

/**
 * How the names of the keys begin that nobody needs any more after an event: those of a call with its outcome, of one that was turned down, however that
 * came, and of a whole run that has ended. An approved call that failed waits for its approval again, and a lost one for a person's word.
 */
export const destroyedBy = (event: Recorded<RunEvent>): string | undefined => {
  const runId = idOf(event.streamId);
  switch (event.type) {
    case 'ToolCallSucceeded':
    case 'ToolCallDenied':
      return keysOfCall(runId, event.data.callId);
    case 'ToolCallFailed':
      return event.data.approvalId === undefined ? keysOfCall(runId, event.data.callId) : undefined;
    case 'IndeterminateResolved':
      return event.data.answer === 'not_happened' ? undefined : keysOfCall(runId, event.data.callId);
    case 'RunSucceeded':
    case 'RunFailed':
    case 'RunCancelled':
      return keysOfRun(runId);
    default:
      return undefined;
  }
};

/** The types of such events. */
export const DESTROYING: readonly RunEvent['type'][] = ['ToolCallSucceeded', 'ToolCallDenied', 'ToolCallFailed', 'IndeterminateResolved', 'RunSucceeded', 'RunFailed', 'RunCancelled'];
