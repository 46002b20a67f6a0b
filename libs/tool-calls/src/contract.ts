import { Query, type Context } from '@app/kernel';
import type { CallTarget } from './request-tool-call/call-target.view';
import type { PrepareAction } from './request-tool-call/request-tool-call.decide';

export { decideToolCall, type Denial, type DoorFacts, type DoorInputs, type Verdict } from './door/door.policy';
export type { CallTarget } from './request-tool-call/call-target.view';
export { DryRunBody, DryRunToolCall } from './dry-run/dry-run.query';
export { DryRunView } from './dry-run/dry-run.view';
export { CallId, RequestToolCall, RequestToolCallBody } from './request-tool-call/request-tool-call.command';
export {
  authorisedEvent, denialEvents, deniedAsAsked, requestToolCall, type Action, type Asked, type CallEvents, type PrepareAction, type Prepared, type StageAs,
} from './request-tool-call/request-tool-call.decide';
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
  /** Null for a call that changes no single item, or one that is not there. */
  abstract target(tool: string, input: Readonly<Record<string, unknown>>, siteId: string): Promise<CallTarget | null>;
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

/** Binds what is asked to a tool as it is defined, exactly as the door does; a replay asks the same. */
export abstract class ActionPreparer {
  abstract readonly prepare: PrepareAction;
}
