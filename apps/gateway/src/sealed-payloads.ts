import { idOf, type SealedPayload, type SealedPayloads } from '@app/kernel';
import { subjectOfGoal } from '@app/privacy';
import { runPayloads, subjectOfRun } from '@app/runs/contract';

/** What is told of a run's calls on another stream is sealed under the key of that run. */
const ofItsRun = (fields: SealedPayload['fields']): SealedPayload => ({
  fields,
  subject: ({ runId: told }, _streamId, { runId }) => {
    const id = typeof told === 'string' ? told : runId;
    return id === undefined ? undefined : subjectOfRun(id);
  },
});

/** Why a goal failed is often what a tool answered, and a goal above it repeats that: so each goal has a key for its reason. */
const ofGoal: SealedPayload = { fields: { reason: 'text' }, subject: (_data, streamId) => subjectOfGoal(idOf(streamId)) };

/** Inputs and outputs of tools, wherever events hold them. The content of items is what somebody asked to be kept, and is none of them. */
export const sealedPayloads: SealedPayloads = {
  ...runPayloads,
  GoalSettled: ofGoal,
  GoalCancelled: ofGoal,
  ApprovalRequested: ofItsRun({ subject: 'text', arguments: 'json' }),
  ApprovalVoteCast: ofItsRun({ arguments: 'json', requestedArguments: 'json' }),
  ApprovalApproved: ofItsRun({ arguments: 'json', requestedArguments: 'json' }),
  ApprovedCallFailed: ofItsRun({ error: 'text' }),
  ChangeStaged: ofItsRun({ patch: 'json', before: 'json' }),
  StagingCommitFailed: ofItsRun({ error: 'text' }),
};

/** After these, texts that were read before are handed out from no memory of a process. */
export const FORGETTING = ['RunForgotten'];
