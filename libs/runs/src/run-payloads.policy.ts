import { idOf, type SealedPayload } from '@app/kernel';

/** Everything that tools were given and gave back in a run, and what its agent said about it, is sealed under one key of the run. */
export const subjectOfRun = (runId: string) => `run:${runId}`;

const ofRun = (fields: SealedPayload['fields']): SealedPayload => ({ fields, subject: (_data, streamId) => subjectOfRun(idOf(streamId)) });
const asked = { arguments: 'json', 'inputs.argumentProblems': 'list' } as const;

export const runPayloads = {
  RunQueued: ofRun({ 'task.arguments': 'json' }),
  RunStarted: ofRun({ 'task.arguments': 'json' }),
  ToolCallAuthorised: ofRun(asked),
  ToolCallParked: ofRun(asked),
  ToolCallStaged: ofRun(asked),
  ToolCallDeferred: ofRun(asked),
  ToolCallDenied: ofRun({ ...asked, facts: 'json' }),
  ToolCallSucceeded: ofRun({ result: 'json' }),
  ToolCallFailed: ofRun({ error: 'text' }),
  IndeterminateResolved: ofRun({ result: 'json', reason: 'text' }),
  ToolCallAnswered: ofRun({ text: 'text' }),
  RunDeadLettered: ofRun({ error: 'text' }),
  RunForked: ofRun({ overrides: 'json' }),
  RunCancelRequested: ofRun({ reason: 'text' }),
  RunCancelled: ofRun({ reason: 'text' }),
  RunSucceeded: ofRun({ result: 'json' }),
  RunFailed: ofRun({ reason: 'text' }),
};
