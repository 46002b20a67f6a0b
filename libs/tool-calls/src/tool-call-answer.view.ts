import type { Call } from '@app/runs/contract';
import { z } from 'zod';

export const CALL_STATUSES = ['executed', 'pending_approval', 'staged', 'deferred', 'denied', 'failed', 'indeterminate'] as const;

/** What the door answers. Of a call that its agent carries out itself the outcome is not known until the agent reports it. A refusal is a normal answer with its reason and rule, never an error. */
export const ToolCallAnswer = z.object({
  callId: z.string(),
  status: z.enum(CALL_STATUSES),
  result: z.json().optional(),
  approvalId: z.string().optional(),
  actionDigest: z.string().optional(),
  stagingId: z.string().optional(),
  autoCommitAt: z.string().optional(),
  reason: z.string().optional(),
  rule: z.string().optional(),
  facts: z.record(z.string(), z.json()).optional(),
  retryAfterMs: z.int().optional(),
  autonomy: z.int().optional(),
  governanceVersion: z.int(),
}).meta({ id: 'ToolCallAnswer' });
export type ToolCallAnswer = z.infer<typeof ToolCallAnswer>;

/** The handler of a tool of kind `client`: the agent itself. */
export const BY_CLIENT = 'client';

/** The recorded answer of a call: the same whenever and however often it is asked for. */
export const answerOf = (call: Call): ToolCallAnswer => {
  const { callId } = call;
  switch (call.status) {
    case 'denied': {
      const { reason, rule, facts, governanceVersion } = call.denial;
      return { callId, status: 'denied', reason, rule, facts: { tool: call.tool, ...facts }, governanceVersion };
    }
    case 'deferred': {
      const { reason, rule, retryAfterMs, governanceVersion } = call.deferral;
      return { callId, status: 'deferred', reason, rule, retryAfterMs, governanceVersion };
    }
    case 'parked': {
      const { approvalId, actionDigest, autonomy, governanceVersion } = call.asked;
      return { callId, status: 'pending_approval', approvalId, actionDigest, ...(call.lastError !== undefined && { reason: call.lastError }), ...(call.answers && { facts: { answers: call.answers.map((answer) => ({ ...answer })) } }), autonomy, governanceVersion };
    }
    case 'staged': {
      const { approvalId, actionDigest, stagingId, autoCommitAt, autonomy, governanceVersion } = call.asked;
      return { callId, status: 'staged', approvalId, actionDigest, stagingId, autoCommitAt, autonomy, governanceVersion };
    }
    case 'executed':
      return { callId, status: 'executed', result: call.result as ToolCallAnswer['result'], ...routed(call.asked) };
    case 'failed':
      return { callId, status: 'failed', reason: call.error, rule: call.reason, ...routed(call.asked) };
    case 'indeterminate':
      return { callId, status: 'indeterminate', reason: 'The worker of this call was lost; a person has to say whether it happened.', rule: 'worker_lost', ...routed({ ...call.asked, approvalId: call.question.approvalId }) };
    case 'authorised':
      if (call.asked.handledBy === BY_CLIENT) return { callId, status: 'indeterminate', reason: 'Allowed: carry the call out yourself and report its outcome.', rule: 'client_executes', ...routed(call.asked) };
      return { callId, status: 'indeterminate', reason: 'The call was authorised and its outcome is not recorded.', rule: 'no_outcome', ...routed(call.asked) };
  }
};

const routed = ({ autonomy, governanceVersion, approvalId }: { autonomy: number; governanceVersion: number; approvalId?: string | undefined }) => ({
  autonomy, governanceVersion, ...(approvalId !== undefined && { approvalId }),
});
