import type { Arguments, ClientWork } from '../carry-out';
import type { Run } from '../run';
import type { ToolCallResult } from '../tool-call';

/** Of a run, what an adapter needs. */
export type GovernedRun = Pick<Run, 'carryOut'>;

export type GovernOptions = {
  /** Waits while a person has to decide, so that the model sees nothing but a slow tool. False: the model is told who has to decide first. Default true. */
  readonly waitForApproval?: boolean | undefined;
};

type FrameworkCall = GovernOptions & { readonly callId: string | undefined; readonly signal: AbortSignal | undefined };

/**
 * A tool call of a framework: asked at the door, carried out here when the door leaves it to the agent, and answered in what the model is to
 * hear. Whatever the conversation claims was approved does not matter: approvals are the server's.
 */
export const governedCall = async (run: GovernedRun, tool: string, args: unknown, work: ClientWork, { waitForApproval = true, ...options }: FrameworkCall): Promise<unknown> =>
  heard(await run.carryOut(tool, args as Arguments, work, { waitForApproval, ...options }));

/** A refusal is an answer that the model can work with, and no error that ends its loop. */
export const heard = ({ status, result, reason, approvalId, autoCommitAt, retryAfterMs }: ToolCallResult): unknown => {
  switch (status) {
    case 'executed':
      return result ?? 'Done.';
    case 'pending_approval':
      return `Not done yet: a person must approve it first (${approvalId}). Do not repeat the call.`;
    case 'staged':
      return `Accepted. It takes effect at ${autoCommitAt} unless a person vetoes it before. Do not repeat the call.`;
    case 'deferred':
      return `Not done now: ${reason}. Try again in ${Math.ceil((retryAfterMs ?? 1_000) / 1_000)} s.`;
    case 'denied':
      return `Not done, and not allowed: ${reason}.`;
    case 'failed':
      return `It failed: ${reason}.`;
    case 'indeterminate':
      return 'It is not known whether it was done; a person is asked to find out. Do not repeat the call.';
  }
};
