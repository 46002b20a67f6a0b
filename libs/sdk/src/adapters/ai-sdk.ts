import type { ClientWork } from '../carry-out';
import { governedCall, type GovernedRun, type GovernOptions } from './governed-call';

type CallInfo = { readonly toolCallId?: string; readonly abortSignal?: AbortSignal };
type Execute = (input: unknown, info: CallInfo) => unknown;
/** A tool of the package `ai`, as far as it matters here. */
type AiSdkTool = { readonly execute?: unknown };

/**
 * The tools of an AI SDK agent, each asking the door before it works. The server's approvals take the place of `needsApproval`, because those
 * travel in the conversation and whoever writes the conversation can forge them. Throws for a tool that is not executed here: nobody could
 * hold it back.
 */
export const governAiSdkTools = <T extends Readonly<Record<string, AiSdkTool>>>(run: GovernedRun, tools: T, options: GovernOptions = {}): T =>
  Object.fromEntries(Object.entries(tools).map(([name, tool]) => [name, governed(run, name, tool, options)])) as T;

const governed = (run: GovernedRun, name: string, tool: AiSdkTool, options: GovernOptions): AiSdkTool => {
  if (typeof tool.execute !== 'function') throw new TypeError(`The tool ${name} has no execute, so it runs where it cannot be governed`);
  const { needsApproval: _theirs, ...rest } = tool as AiSdkTool & { readonly needsApproval?: unknown };
  const original = tool.execute as Execute;
  const execute: Execute = (input, info) => {
    const work: ClientWork = async (allowed) => lastOf(await original(allowed, info));
    return governedCall(run, name, input, work, { ...options, callId: info.toolCallId, signal: info.abortSignal });
  };
  return { ...rest, execute };
};

/** A tool that shows preliminary results gives its outcome last. */
const lastOf = async (result: unknown): Promise<unknown> => {
  if (typeof result !== 'object' || result === null || !(Symbol.asyncIterator in result)) return result;
  let last: unknown;
  for await (const each of result as AsyncIterable<unknown>) last = each;
  return last;
};
