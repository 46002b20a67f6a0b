import { approvalLink } from '@app/approvals/contract';
import type { Rejection } from '@app/kernel';
import type { ToolCallAnswer } from '@app/tool-calls/contract';
import { z } from 'zod';

type Json = Readonly<Record<string, unknown>>;
type Part = { readonly type: string; readonly text?: string };
/** A result of `tools/call`. `structuredContent` is what the same call answers over REST, so that both tell one story. */
export type CallResult = { readonly content: readonly Part[]; readonly structuredContent: Json; readonly isError?: true };

const text = (words: string): readonly Part[] => [{ type: 'text', text: words }];
const Parts = z.looseObject({ content: z.array(z.discriminatedUnion('type', [
  z.looseObject({ type: z.literal('text'), text: z.string() }),
  z.looseObject({ type: z.enum(['image', 'audio']), data: z.string(), mimeType: z.string() }),
  z.looseObject({ type: z.literal('resource'), resource: z.looseObject({ uri: z.string() }) }),
  z.looseObject({ type: z.literal('resource_link'), uri: z.string(), name: z.string() }),
])).min(1) });

/** A tool that answers in the protocol's own form, as those of upstream servers do, is passed on as it is. */
const shown = (result: unknown): readonly Part[] => {
  const parts = Parts.safeParse(result);
  if (parts.success) return parts.data.content;
  return text(typeof result === 'string' ? result : JSON.stringify(result ?? null));
};

/** When to ask again for a decision that nobody is told about. */
const ASK_AGAIN_MS = 5_000;

const because = ({ reason, rule, facts }: ToolCallAnswer) => {
  const { tool: _tool, ...more } = facts ?? {};
  return [reason ?? 'no reason', ...(rule === undefined ? [] : [`(rule ${rule})`]), ...(Object.keys(more).length > 0 ? [JSON.stringify(more)] : [])].join(' ');
};

const waiting = (answer: ToolCallAnswer): CallResult => {
  const { approvalId = '', reason } = answer;
  const deepLink = approvalLink(approvalId);
  const failed = reason === undefined ? '' : ` It was approved before, and failed: ${reason}.`;
  const words = `Not done yet: a person must approve this at ${deepLink}.${failed} Call approval_status with approvalId "${approvalId}" for the outcome; do not repeat the call.`;
  return { content: text(words), structuredContent: { ...answer, retryAfterMs: ASK_AGAIN_MS, deepLink } };
};

/** A refusal is a result that says so, for the model to read, and never an error of the protocol. What waits for a person is no error at all. */
export const callResult = (answer: ToolCallAnswer): CallResult => {
  const structuredContent = { ...answer };
  switch (answer.status) {
    case 'executed':
      return { content: shown(answer.result), structuredContent };
    case 'pending_approval':
      return waiting(answer);
    case 'staged':
      return { content: text(`Staged as ${answer.stagingId}: it takes effect at ${answer.autoCommitAt} unless somebody vetoes it. Do not repeat the call.`), structuredContent };
    case 'deferred':
      return { content: text(`Not done: it has to wait, ${because(answer)}. Call again in ${answer.retryAfterMs} ms.`), structuredContent, isError: true };
    case 'denied':
      return { content: text(`Denied: ${because(answer)}`), structuredContent, isError: true };
    case 'failed':
      return { content: text(`Failed: ${because(answer)}`), structuredContent, isError: true };
    case 'indeterminate':
      return { content: text(`${answer.reason ?? 'Nobody can tell whether it happened.'} The call is ${answer.callId}.`), structuredContent, ...(answer.rule !== 'client_executes' && { isError: true }) };
  }
};

/** What never became a call: a run that has ended, is unknown or cannot be opened, or a server that cannot write now. */
export const refusedResult = ({ code, detail, facts }: Rejection): CallResult => ({
  content: text(`${code}: ${detail}`), structuredContent: { status: 'refused', code, reason: detail, ...(facts && { facts }) }, isError: true,
});
