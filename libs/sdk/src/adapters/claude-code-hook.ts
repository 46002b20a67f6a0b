import type { Arguments } from '../carry-out';
import { sentenceOf } from '../outcome';
import type { Run } from '../run';
import { heard } from './governed-call';

/** What a coding assistant writes to a hook's standard input, as far as it matters here. */
export type HookInput = {
  readonly session_id?: string;
  readonly hook_event_name: string;
  readonly tool_name: string;
  readonly tool_input: Readonly<Record<string, unknown>>;
  readonly tool_response?: unknown;
  readonly error?: unknown;
};

/** What it reads from the hook's standard output. Nothing to say is an empty object. */
export type HookOutput =
  | Record<string, never>
  | {
      readonly hookSpecificOutput: {
        readonly hookEventName: 'PreToolUse';
        readonly permissionDecision: 'allow' | 'deny';
        readonly permissionDecisionReason: string;
        readonly updatedInput?: Arguments;
      };
    };

type HookRun = Pick<Run, 'authorise' | 'report' | 'get'>;
const SETTLED = new Set(['executed', 'failed', 'denied']);

/**
 * One call of a hook: `PreToolUse` asks the door, `PostToolUse` tells what came of it; other events mean nothing here. A hook is a process of
 * its own each time, so the call is found again by what it is: the same tool with the same input goes on with the call that has no outcome
 * yet, for instance because a person has approved it meanwhile. Fails closed: when the harness cannot be asked, the use is denied.
 */
export const claudeCodeHook = async (openRun: () => Promise<HookRun>, input: HookInput, signal?: AbortSignal): Promise<HookOutput> => {
  if (input.hook_event_name === 'PreToolUse') return permission(openRun, input, signal);
  if (!['PostToolUse', 'PostToolUseFailure'].includes(input.hook_event_name)) return {};
  const run = await openRun();
  const callId = await carriedOut(run, input);
  const { tool_response: result, error } = input;
  const outcome = input.hook_event_name === 'PostToolUse' ? ({ status: 'executed', ...(result !== undefined && { result }) } as const) : ({ status: 'failed', error: sentenceOf(error ?? 'It failed.') } as const);
  if (callId !== undefined) await run.report(callId, outcome);
  return {};
};

const permission = async (openRun: () => Promise<HookRun>, input: HookInput, signal: AbortSignal | undefined): Promise<HookOutput> => {
  try {
    const run = await openRun();
    const { callId } = await callOf(run, input);
    const { answer, allowed } = await run.authorise(input.tool_name, input.tool_input, { callId, waitForApproval: signal !== undefined, signal });
    if (allowed) return decided('allow', 'Allowed by the harness.', allowed);
    const said = heard(answer);
    return decided('deny', answer.status === 'pending_approval' ? `A person must approve this first (${answer.approvalId}). Ask for exactly the same again once it is approved.` : typeof said === 'string' ? said : `The harness has done it: ${JSON.stringify(said)}`);
  } catch (error) {
    if (signal?.aborted) return decided('deny', 'A person has not decided yet. Ask for exactly the same again once it is approved.');
    return decided('deny', `Not done: the harness could not be asked. ${sentenceOf(error)}`);
  }
};

const decided = (permissionDecision: 'allow' | 'deny', permissionDecisionReason: string, updatedInput?: Arguments): HookOutput => ({
  hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision, permissionDecisionReason, ...(updatedInput && { updatedInput }) },
});

/** A reviewer may have changed the input: then it is the call of this tool that is open. */
const carriedOut = async (run: HookRun, input: HookInput): Promise<string | undefined> => {
  const { callId, isOpen } = await callOf(run, input);
  if (isOpen) return callId;
  return (await run.get()).toolCalls.findLast(({ callId: id, tool, status }) => tool === input.tool_name && id.startsWith('hook.') && !SETTLED.has(status))?.callId;
};

/** The last call of this tool with this input while it has no outcome, else the id of the next one. */
const callOf = async (run: HookRun, { tool_name, tool_input }: HookInput): Promise<{ readonly callId: string; readonly isOpen: boolean }> => {
  const prefix = `hook.${await digestOf(`${tool_name}\n${ordered(tool_input)}`)}.`;
  const equal = (await run.get()).toolCalls.filter(({ callId }) => callId.startsWith(prefix));
  const last = equal.at(-1);
  return last && !SETTLED.has(last.status) ? { callId: last.callId, isOpen: true } : { callId: `${prefix}${equal.length + 1}`, isOpen: false };
};

const ordered = (value: unknown): string =>
  JSON.stringify(value, (_key, each: unknown) => (typeof each === 'object' && each !== null && !Array.isArray(each) ? Object.fromEntries(Object.entries(each).sort(([a], [b]) => (a < b ? -1 : 1))) : each));

const digestOf = async (text: string): Promise<string> => {
  const bytes = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)));
  return [...bytes.subarray(0, 16)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
};
