import type { EffectiveTool } from '@app/governance/contract';
import { Query, type Context } from '@app/kernel';
import type { Deferral } from './door/door.policy';
import type { CallTarget } from './request-tool-call/call-target.view';
import type { PrepareAction } from './request-tool-call/request-tool-call.decide';

export { decideToolCall, type Deferral, type Denial, type DoorFacts, type DoorInputs, type Verdict } from './door/door.policy';
export { CarryOutRun, type CarriedOut } from './carry-out-run/carry-out-run.command';
export { keysOfCall } from './door/destroyed-keys.process';
export { mayRepeat } from './recover-call/indeterminate.decide';
export { GetToolCall } from './recorded-call/get-tool-call.query';
export { RecoverCall } from './recover-call/recover-call.command';
export type { CallTarget } from './request-tool-call/call-target.view';
export { DryRunBody, DryRunToolCall } from './dry-run/dry-run.query';
export { DryRunView } from './dry-run/dry-run.view';
export { ReleaseRun } from './release-run/release-run.command';
export { CallId, RequestToolCall, RequestToolCallBody } from './request-tool-call/request-tool-call.command';
export {
  authorisedEvent, denialEvents, deniedAsAsked, requestToolCall, type Action, type Asked, type CallEvents, type PrepareAction, type Prepared, type StageAs,
} from './request-tool-call/request-tool-call.decide';
export { answerOf, BY_CLIENT, ToolCallAnswer } from './tool-call-answer.view';

/**
 * What a handler may know about the call it serves. `context.commandId` is the call's own: writing twice with it writes once.
 * `after` is the position of the authorisation: a read that has reached it has seen everything the run wrote before.
 */
export type CallContext = { readonly context: Context; readonly after: bigint; readonly signal: AbortSignal; readonly runId: string; readonly callId: string };

export type Change = { readonly path: string; readonly before: unknown; readonly after: unknown };

/** A handler rejects with this when nobody can tell whether the call happened: a person is asked then, and nothing is guessed. */
export class OutcomeUnknown extends Error {}

/** Runs what the door has authorised. Only the door calls it. */
export abstract class ToolHandlers {
  abstract handles(tool: EffectiveTool): boolean;
  /** Resolves with the tool's result, a JSON value; rejects with a sentence for the agent, or with `OutcomeUnknown` when a person has to find out. */
  abstract run(tool: EffectiveTool, input: Readonly<Record<string, unknown>>, call: CallContext): Promise<unknown>;
  /** What the call would change now, for the reviewer; empty when that cannot be told. The context names whoever asked for the call. */
  abstract preview(tool: EffectiveTool, input: Readonly<Record<string, unknown>>, context: Context): Promise<readonly Change[]>;
  /** Null for a call that changes no single item, or one that is not there. `principalId` is whose run it is. */
  abstract target(tool: EffectiveTool, input: Readonly<Record<string, unknown>>, siteId: string, principalId: string): Promise<CallTarget | null>;
  /** How many writes a call stands for, where budgets of writes count: one, unless it makes many records at once. */
  writes(_tool: EffectiveTool, _input: Readonly<Record<string, unknown>>): number {
    return 1;
  }
}

/** A call that the door is about to decide, for those who may make it wait. */
export type DeferralQuestion = {
  readonly siteId: string;
  readonly runId: string;
  readonly callId: string;
  readonly tool: EffectiveTool;
  readonly origin: string;
  readonly intentId: string | null;
  /** The limit of the run's own envelope. */
  readonly maxWritesPerMinute: number | undefined;
  /** How many writes the call stands for; default 1. */
  readonly writes?: number;
  readonly now: Date;
};

/** Says whether a call has to wait: for a maintenance window, for the load to go down, or for its share of writes. */
export abstract class Deferrals {
  abstract of(question: DeferralQuestion): Promise<Deferral | null>;
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

export type Arguments = Readonly<Record<string, unknown>>;
export type CallRef = { readonly siteId: string; readonly runId: string; /** `task` for the task of a run that waits for a worker. */ readonly callId: string };
/** `pepper` keys the hashes of arguments with secrets; `sealed` is for the log, absent when nothing of the call can run. */
export type Kept = { readonly pepper: string; readonly sealed?: string };

/** Keeps arguments with secrets, which the log holds masked, until their call has an outcome; then nobody can read them again. */
export abstract class ExactArguments {
  /** Undefined when there is nothing to hide, which is found out without waiting for anybody. */
  abstract keep(ref: CallRef, given: Arguments, mayRun?: boolean): Promise<Kept | undefined>;
  /** Undefined when they are gone. */
  abstract recall(ref: CallRef, sealed: string): Promise<(Kept & { readonly given: Arguments }) | undefined>;
  /** For what was kept and then not recorded. */
  abstract forget(ref: CallRef, kept: Kept): Promise<void>;
}

/** Binds what is asked to a tool as it is defined, exactly as the door does; a replay asks the same. */
export abstract class ActionPreparer {
  abstract readonly prepare: PrepareAction;
}
