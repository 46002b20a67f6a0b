import { CallId } from '@app/tool-calls/contract';
import { z } from 'zod';
import { MAX_WAIT_MS } from '../offer/listed-tool.view';

export const RunId = z.string().regex(/^run_[0-9a-f]{32}$/, 'The id of a run');

/** What a client may say about a call beside its arguments, in `_meta` of the request. Keys of others are none of our business. */
export const CallWishes = z.object({
  'agent-harness/run-id': RunId.optional(),
  'agent-harness/call-id': CallId.optional(),
  'agent-harness/wait-ms': z.int().min(0).max(MAX_WAIT_MS).default(0),
  progressToken: z.union([z.string(), z.number()]).optional(),
});
export type CallWishes = z.infer<typeof CallWishes>;

export const ApprovalStatusArguments = z.strictObject({ approvalId: z.string().min(1).max(100), waitMs: z.int().min(0).max(MAX_WAIT_MS).default(0) });
