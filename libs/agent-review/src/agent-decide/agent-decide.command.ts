import { Command, type Context, type Outcome, type Principal } from '@app/kernel';
import { APPROVAL_STATUSES } from '@app/approvals/contract';
import { z } from 'zod';

/** `confidence` is how sure the agent is of its verdict, 0 to 1. */
export const AgentDecideBody = z.strictObject({
  reviewerRunId: z.string().min(1).max(100),
  verdict: z.enum(['approve', 'reject']),
  confidence: z.number().min(0).max(1),
  reason: z.string().trim().min(1).max(2_000),
}).meta({ id: 'AgentDecide' });
export type AgentDecideBody = z.infer<typeof AgentDecideBody>;

/** `escalated`: the verdict decided nothing and the approval waits for a human, who finds it under `deepLink`. */
export const AgentDecided = z.object({
  approvalId: z.string(),
  status: z.enum(APPROVAL_STATUSES),
  escalated: z.boolean(),
  cause: z.enum(['rejected', 'low_confidence', 'quorum']).nullable(),
  deepLink: z.string(),
  call: z.json().optional(),
}).meta({ id: 'AgentDecided' });
export type AgentDecided = z.infer<typeof AgentDecided>;

export class AgentDecide extends Command<Outcome<AgentDecided>> {
  constructor(
    readonly approvalId: string,
    readonly body: AgentDecideBody,
    readonly principal: Principal,
    readonly context: Context,
  ) {
    super();
  }
}
