import { Command, type Context, type Outcome, type Principal } from '@app/kernel';
import { z } from 'zod';
import type { ToolCallAnswer } from '../tool-call-answer.view';

/** What became of a call that the agent carried out itself, after the door had said yes. */
export const ReportOutcomeBody = z.strictObject({
  status: z.enum(['executed', 'failed']),
  result: z.json().optional(),
  error: z.string().trim().min(1).max(2_000).optional(),
  /** How long it took, in milliseconds, as the agent says; counts against the run's handler time. */
  runtimeMs: z.number().min(0).max(7 * 24 * 3_600_000).default(0),
}).refine(({ status, error }) => status === 'executed' || error !== undefined, { path: ['error'], message: 'Say what went wrong' }).meta({ id: 'ReportOutcome' });
export type ReportOutcomeBody = z.infer<typeof ReportOutcomeBody>;

export class ReportOutcome extends Command<Outcome<ToolCallAnswer>> {
  constructor(
    readonly runId: string,
    readonly callId: string,
    readonly body: ReportOutcomeBody,
    readonly principal: Principal,
    readonly context: Context,
  ) {
    super();
  }
}
