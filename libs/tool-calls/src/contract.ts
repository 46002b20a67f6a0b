import { Query, type Context } from '@app/kernel';

export { decideToolCall, type Denial, type DoorFacts, type Verdict } from './door/door.policy';
export { CallId, RequestToolCall, RequestToolCallBody } from './request-tool-call/request-tool-call.command';
export { answerOf, ToolCallAnswer } from './tool-call-answer.view';

/**
 * What a handler may know about the call it serves. `context.commandId` is the call's own: writing twice with it writes once.
 * `after` is the position of the authorisation: a read that has reached it has seen everything the run wrote before.
 */
export type CallContext = { readonly context: Context; readonly after: bigint; readonly signal: AbortSignal };

export type Change = { readonly path: string; readonly before: unknown; readonly after: unknown };

/** Runs what the door has authorised. Only the door calls it. */
export abstract class ToolHandlers {
  abstract handles(tool: string): boolean;
  /** Resolves with the tool's result, a JSON value; rejects with a sentence for the agent. */
  abstract run(tool: string, input: Readonly<Record<string, unknown>>, call: CallContext): Promise<unknown>;
  /** What the call would change now, for the reviewer; empty when that cannot be told. */
  abstract preview(tool: string, input: Readonly<Record<string, unknown>>, context: Context): Promise<readonly Change[]>;
}

export class PreviewToolCall extends Query<readonly Change[]> {
  constructor(
    readonly tool: string,
    readonly input: Readonly<Record<string, unknown>>,
    readonly context: Context,
  ) {
    super();
  }
}

/** What a principal holds at this moment; empty for one that is unknown, expired or revoked. */
export abstract class CurrentCapabilities {
  abstract of(principalId: string): Promise<readonly string[]>;
}
