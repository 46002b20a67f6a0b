import { governedCall, type GovernedRun, type GovernOptions } from './governed-call';

type Details = { readonly toolCall?: { readonly callId?: string }; readonly signal?: AbortSignal };
type Invoke = (context: unknown, input: string, details?: Details) => Promise<unknown>;
/** A tool of `@openai/agents`, as far as it matters here. */
type AgentsTool = { readonly name: string };

/**
 * The function tools of an OpenAI Agents agent, each asking the door before it works. `needsApproval` is answered by the server instead: what
 * a saved run state claims was approved does not count. Throws for hosted tools, which run where nobody could hold them back.
 */
export const governOpenAIAgentsTools = <T extends AgentsTool>(run: GovernedRun, tools: readonly T[], options: GovernOptions = {}): T[] => tools.map((tool) => governed(run, tool, options));

const governed = <T extends AgentsTool>(run: GovernedRun, tool: T, options: GovernOptions): T => {
  const { invoke: original } = tool as T & { readonly invoke?: Invoke };
  if (typeof original !== 'function') throw new TypeError(`The tool ${tool.name} is hosted elsewhere, so it runs where it cannot be governed`);
  const invoke: Invoke = async (context, input, details) => {
    const args = parsed(input);
    // The framework answers the model in its own words when the model wrote no object.
    if (args === undefined) return original(context, input, details);
    const work = (allowed: object) => original(context, JSON.stringify(allowed), details);
    return governedCall(run, tool.name, args, work, { ...options, callId: details?.toolCall?.callId, signal: details?.signal });
  };
  return { ...tool, needsApproval: () => Promise.resolve(false), invoke };
};

const parsed = (input: string): object | undefined => {
  try {
    const value: unknown = JSON.parse(input === '' ? '{}' : input);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
};
