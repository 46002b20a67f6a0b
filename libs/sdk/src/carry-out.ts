import type { Approval } from './approvals';
import { HarnessError } from './connection/error';
import { isAboutTheResult, outcomeOf, untold, type CallOutcome } from './outcome';
import type { ToolCallResult } from './tool-call';

export type Arguments = Readonly<Record<string, unknown>>;

/** What the door says when the agent is to carry the call out itself. */
export const isOurs = ({ status, rule }: Pick<ToolCallResult, 'status' | 'rule'>): boolean => status === 'indeterminate' && rule === 'client_executes';

/**
 * Carries out a call of a tool of kind `client`. `args` are those that were allowed: a reviewer may have changed them. `callId` is the same
 * whenever the call is taken up again, so effects that know it can be made once.
 */
export type ClientWork = (args: Arguments, call: { readonly callId: string; readonly signal: AbortSignal | undefined }) => unknown;

export type CarryOutOptions = {
  /** Names the call; give it, and keep it, to go on after a crash. Default: a random one. */
  readonly callId?: string | undefined;
  /** Waits while a person has to decide, instead of answering `pending_approval`. Default false. */
  readonly waitForApproval?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
};

type Waiting = { readonly signal: AbortSignal | undefined };
/** Of a run, what this needs. */
type Handle = {
  call(tool: string, args: Arguments, options: Waiting & { readonly callId: string }): Promise<ToolCallResult>;
  report(callId: string, outcome: CallOutcome, options: Waiting): Promise<{ readonly data: ToolCallResult }>;
  waitForApproval(approvalId: string, options: Waiting): Promise<unknown>;
};
type GetApproval = (approvalId: string, signal: AbortSignal | undefined) => Promise<Pick<Approval, 'approvedArguments'>>;

/** What the door said of a call. `allowed` are the arguments it may be carried out with here and now; undefined when it may not. */
export type Authorised = { readonly answer: ToolCallResult; readonly allowed?: Arguments };

/** Asks the door, and waits for a person if it is told to. Whoever is allowed carries the call out and reports its outcome under the same id. */
export const authorise = async (
  run: Pick<Handle, 'call' | 'waitForApproval'>,
  getApproval: GetApproval,
  tool: string,
  args: Arguments,
  { callId, waitForApproval = false, signal }: CarryOutOptions & { readonly callId: string },
): Promise<Authorised> => {
  for (;;) {
    const answer = await run.call(tool, args, { callId, signal });
    if (isOurs(answer)) {
      const approved = answer.approvalId === undefined ? null : (await getApproval(answer.approvalId, signal)).approvedArguments;
      return { answer, allowed: approved ?? args };
    }
    if (answer.status !== 'pending_approval' || !waitForApproval || answer.approvalId === undefined) return { answer };
    await run.waitForApproval(answer.approvalId, { signal });
  }
};

/**
 * Asks the door; when it leaves the call to the agent, does the work and reports what came of it. The log holds one outcome, however often
 * this is repeated: a call that has one is answered from the record and not carried out again.
 */
export const carryOut = async (
  run: Handle,
  getApproval: GetApproval,
  tool: string,
  args: Arguments,
  work: ClientWork,
  { callId = crypto.randomUUID(), signal, ...options }: CarryOutOptions,
): Promise<ToolCallResult> => {
  const { answer, allowed } = await authorise(run, getApproval, tool, args, { callId, signal, ...options });
  return allowed ? done(run, callId, () => work(allowed, { callId, signal }), signal) : answer;
};

const done = async (run: Handle, callId: string, work: () => unknown, signal: AbortSignal | undefined): Promise<ToolCallResult> => {
  const began = performance.now();
  const outcome = await outcomeOf(work);
  // Work that was broken off may or may not have happened; whoever takes the call up again finds out.
  if (outcome.status === 'failed') signal?.throwIfAborted();
  const runtimeMs = performance.now() - began;
  const report = async (told: CallOutcome) => (await run.report(callId, told, { signal })).data;
  try {
    return await report({ ...outcome, runtimeMs });
  } catch (error) {
    if (outcome.status !== 'executed' || !(error instanceof HarnessError) || !isAboutTheResult(error)) throw error;
    return report({ ...untold(error), runtimeMs });
  }
};
