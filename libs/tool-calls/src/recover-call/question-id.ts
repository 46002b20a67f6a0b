import { idOfText } from '@app/event-store';

/** The same question for the same loss, whichever process asks. `at` is the version of the authorisation. */
export const questionId = (runId: string, { callId, at }: { readonly callId: string; readonly at: number }) => idOfText('appr', `${runId}/${callId}/lost/${at}`);
