import { governedCall, type GovernedRun, type GovernOptions } from './governed-call';

type CallConfig = { readonly toolCall?: { readonly id?: string | undefined }; readonly signal?: AbortSignal };
type Call = (args: unknown, manager?: unknown, config?: CallConfig) => Promise<unknown>;
/** A structured tool of `@langchain/core`, as far as it matters here; graphs of LangGraph use the same. */
type LangChainTool = { readonly name: string };

/**
 * The tools of a LangChain or LangGraph agent, each asking the door before it works. They stay tools of their own class, with their schema and
 * their callbacks; only what `invoke` comes down to is replaced.
 */
export const governLangChainTools = <T extends LangChainTool>(run: GovernedRun, tools: readonly T[], options: GovernOptions = {}): T[] => tools.map((tool) => governed(run, tool, options));

const governed = <T extends LangChainTool>(run: GovernedRun, tool: T, options: GovernOptions): T => {
  const { _call: original } = tool as T & { readonly _call?: Call };
  if (typeof original !== 'function') throw new TypeError(`${tool.name} is no structured tool of LangChain`);
  const call: Call = (args, manager, config) =>
    governedCall(run, tool.name, args, (allowed) => original.call(tool, allowed, manager, config), { ...options, callId: config?.toolCall?.id, signal: config?.signal });
  return Object.assign(Object.create(tool) as T, { _call: call });
};
