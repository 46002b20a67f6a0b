import { Command, type Context, type Outcome } from '@app/kernel';
import type { Reviewer } from '@app/approvals/contract';
import { z } from 'zod';
import type { ToolCallAnswer } from '../tool-call-answer.view';

/** What a person found out about a call whose worker was lost. */
export const ResolveCallBody = z.strictObject({
  answer: z.enum(['happened', 'not_happened', 'failed']),
  /** What the tool gave, when it happened and somebody knows. */
  result: z.json().optional(),
  reason: z.string().trim().min(1).max(2_000).optional(),
}).refine(({ answer, reason }) => answer !== 'failed' || reason !== undefined, { path: ['reason'], message: 'Say why: the reason goes back to the agent' }).meta({ id: 'ResolveCall' });
export type ResolveCallBody = z.infer<typeof ResolveCallBody>;

export class ResolveCall extends Command<Outcome<ToolCallAnswer>> {
  constructor(
    readonly runId: string,
    readonly callId: string,
    readonly body: ResolveCallBody,
    readonly context: Context,
    readonly reviewer: Reviewer,
  ) {
    super();
  }
}
