import type { Run } from '../run';
import { heard, type GovernOptions } from './governed-call';
import { sentenceOf } from '../outcome';

/** What `canUseTool` of the Claude Agent SDK answers. */
export type ClaudePermission =
  | { readonly behavior: 'allow'; readonly updatedInput: Record<string, unknown> }
  | { readonly behavior: 'deny'; readonly message: string };

type CanUseTool = (toolName: string, input: Record<string, unknown>, options: { readonly signal: AbortSignal; readonly toolUseID?: string }) => Promise<ClaudePermission>;
type AfterTool = (input: { readonly tool_response?: unknown; readonly error?: unknown }, toolUseID: string | undefined) => Promise<Record<string, never>>;

/** Spread into the options of `query()`. The hooks tell the harness what came of the calls that it allowed. */
export type ClaudePermissions = {
  readonly canUseTool: CanUseTool;
  readonly hooks: { readonly PostToolUse: readonly { readonly hooks: readonly AfterTool[] }[]; readonly PostToolUseFailure: readonly { readonly hooks: readonly AfterTool[] }[] };
};

/**
 * Asks the door for every use of a tool by an agent of the Claude Agent SDK; its tools are registered as tools of kind `client` under their
 * names. A reviewer's changes reach the tool as `updatedInput`. When the harness cannot be reached, the use is denied.
 */
export const claudePermissions = (run: Pick<Run, 'authorise' | 'report'>, { waitForApproval = true }: GovernOptions = {}): ClaudePermissions => {
  const open = new Set<string>();
  const canUseTool: CanUseTool = async (toolName, input, { signal, toolUseID = crypto.randomUUID() }) => {
    try {
      const { answer, allowed } = await run.authorise(toolName, input, { callId: toolUseID, waitForApproval, signal });
      if (!allowed) return { behavior: 'deny', message: wordsOf(heard(answer)) };
      open.add(toolUseID);
      return { behavior: 'allow', updatedInput: { ...allowed } };
    } catch (error) {
      return { behavior: 'deny', message: `Not done: the harness could not be asked. ${sentenceOf(error)}` };
    }
  };
  const told = (outcome: (input: Parameters<AfterTool>[0]) => Parameters<Run['report']>[1]): AfterTool => async (input, toolUseID) => {
    if (toolUseID !== undefined && open.delete(toolUseID)) await run.report(toolUseID, outcome(input));
    return {};
  };
  const executed = told(({ tool_response: result }) => ({ status: 'executed', ...(result !== undefined && { result }) }));
  const failed = told(({ error }) => ({ status: 'failed', error: sentenceOf(error ?? 'It failed.') }));
  return { canUseTool, hooks: { PostToolUse: [{ hooks: [executed] }], PostToolUseFailure: [{ hooks: [failed] }] } };
};

const wordsOf = (said: unknown): string => (typeof said === 'string' ? said : `The harness has done it: ${JSON.stringify(said)}`);
