import { Command, type Context, type Outcome, type Principal } from '@app/kernel';
import { z } from 'zod';
import type { ToolCallAnswer } from '../tool-call-answer.view';

export const CallId = z.string().regex(/^[A-Za-z0-9._:-]{1,128}$/, 'Up to 128 letters, digits and . _ : -');

/** With a `callId` a repeat is answered from the record and never runs again. */
export const RequestToolCallBody = z.strictObject({
  tool: z.string().min(1).max(130),
  arguments: z.record(z.string(), z.json()).default({}),
  callId: CallId.optional(),
}).meta({ id: 'RequestToolCall' });
export type RequestToolCallBody = z.infer<typeof RequestToolCallBody>;

export class RequestToolCall extends Command<Outcome<ToolCallAnswer>> {
  constructor(
    readonly runId: string,
    readonly body: RequestToolCallBody,
    readonly principal: Principal,
    readonly context: Context,
  ) {
    super();
  }
}
