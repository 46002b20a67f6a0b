import type { Answer } from '../connection/transport';
import { HarnessError } from '../connection/error';
import { DEFAULT_RETRY, nextDelay } from '../connection/retry';
import type { Decided, Decision } from '../approvals';
import type { CreatedGoal, CreateGoal } from '../goals';
import type { ToolCallResult } from '../tool-call';
import { ask, type Asker, type AskOptions } from './ask';

/** Commands over NATS, for programs that have no way to the API. They are authorised, checked and recorded as over HTTP. */
export class NatsCommands {
  constructor(private readonly asker: Asker) {}

  createGoal = (goal: CreateGoal, options?: AskOptions) => this.send<CreatedGoal>('createGoal', goal, options);

  requestToolCall = (runId: string, call: { readonly tool: string; readonly arguments?: Readonly<Record<string, unknown>>; readonly callId?: string }, options?: AskOptions) =>
    this.send<ToolCallResult>('requestToolCall', { ...call, arguments: call.arguments ?? {}, runId }, options);

  decideApproval = (approvalId: string, decision: Decision, options?: AskOptions) => this.send<Decided>('decideApproval', { ...decision, approvalId }, options);

  /** Repeated under one idempotency key when no answer came, so that it has one effect. */
  private async send<T>(name: string, data: unknown, { idempotencyKey = crypto.randomUUID(), timeoutMs }: AskOptions = {}): Promise<Answer<T>> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await ask<Answer<T>>(this.asker, name, data, { idempotencyKey, timeoutMs });
      } catch (error) {
        const delay = error instanceof HarnessError ? nextDelay(DEFAULT_RETRY, attempt, error) : undefined;
        if (delay === undefined) throw error;
        await DEFAULT_RETRY.wait(delay);
      }
    }
  }
}
