import { Injectable } from '@nestjs/common';
import { Bus } from '@app/cqrs';
import { missing, type Outcome } from '@app/kernel';
import { RequestToolCall, RequestToolCallBody, type ToolCallAnswer } from '@app/tool-calls/contract';
import { CLIENT_CAPABILITIES_META_KEY, ProtocolError, ProtocolErrorCode, type ClientCapabilities, type InputRequiredResult, type ServerContext } from '@modelcontextprotocol/server';
import type { z } from 'zod';
import { WaitingCalls, type Patience } from '../approval-status/waiting-calls';
import { InClientApprovals, type Asking } from '../approve-in-client/in-client-approvals';
import type { McpRequest } from '../endpoint/mcp-request';
import { APPROVAL_STATUS } from '../offer/listed-tool.view';
import { isStandaloneName } from '../offer/unoffered.policy';
import { OwnRuns } from '../own-run/own-runs';
import { callResult, refusedResult, type CallResult } from './call-result.view';
import { ApprovalStatusArguments, CallWishes } from './call-wishes.schema';
import { progressOf } from './progress';

export type CallParams = { readonly name: string; readonly arguments?: Readonly<Record<string, unknown>> | undefined };

/** A run that ended between the look at it and the call gives way to the next one; twice in a row is no accident any more. */
const RUNS_TRIED = 3;

/** Takes `tools/call` to the door, by the command that REST sends, and brings back what came of it. */
@Injectable()
export class McpCalls {
  constructor(
    private readonly bus: Bus,
    private readonly runs: OwnRuns,
    private readonly waiting: WaitingCalls,
    private readonly inClient: InClientApprovals,
  ) {}

  async answer(request: McpRequest, { name, arguments: input = {} }: CallParams, exchange: ServerContext): Promise<CallResult | InputRequiredResult> {
    const read = CallWishes.safeParse(exchange.mcpReq._meta ?? {});
    if (!read.success) throw invalid(problemsOf(read.error));
    const wishes = read.data;
    if (name === APPROVAL_STATUS) return this.status(request, input, wishes, exchange);
    if (isStandaloneName(name)) throw invalid(`${name} is not offered over MCP.`);
    const asking: Asking = { caller: request.caller, site: request.site, tool: name, input };
    const state = exchange.mcpReq.requestState();
    if (state !== undefined) {
      const decided = await this.inClient.answered(asking, state, exchange.mcpReq.inputResponses);
      if (!decided) throw invalid('This is no answer to a question about this call.');
      return resultOf(decided);
    }
    const body = RequestToolCallBody.safeParse({ tool: name, arguments: input, callId: wishes['agent-harness/call-id'] });
    if (!body.success) return unfit(body.error);
    const asked = await this.request(request, wishes['agent-harness/run-id'], body.data, exchange);
    if (!asked.ok || asked.data.answer.status !== 'pending_approval') return resultOf(answerIn(asked));
    const { runId, answer } = asked.data;
    const question = canAsk(exchange) ? await this.inClient.question(asking, answer, runId) : undefined;
    if (question) return question;
    const waitMs = wishes['agent-harness/wait-ms'];
    if (waitMs === 0 || answer.approvalId === undefined) return callResult(answer);
    return resultOf(await this.waiting.settled({ approvalId: answer.approvalId, runId, callId: answer.callId }, request.caller, patience(waitMs, wishes, exchange)));
  }

  private async status({ caller }: McpRequest, input: unknown, wishes: CallWishes, exchange: ServerContext): Promise<CallResult> {
    const read = ApprovalStatusArguments.safeParse(input);
    if (!read.success) return unfit(read.error);
    const { approvalId, waitMs } = read.data;
    const call = await this.waiting.of(approvalId, caller);
    return call.ok ? resultOf(await this.waiting.settled(call.data, caller, patience(waitMs, wishes, exchange))) : refusedResult(call.rejection);
  }

  /** On the run that the token is of, the one that is named, or the key's own of the day. */
  private async request({ caller, runId: inHeader }: McpRequest, inMeta: string | undefined, body: RequestToolCallBody, { mcpReq }: ServerContext): Promise<Outcome<Asked>> {
    const { principal } = caller;
    const named = [principal.onlyRun, inHeader, inMeta].filter((runId) => runId !== undefined);
    if (new Set(named).size > 1) return missing();
    const send = async (runId: string, attempt: number): Promise<Outcome<Asked>> => {
      const context = caller.context(`call:${String(mcpReq.id).slice(0, 100)}${attempt === 0 ? '' : `:${attempt}`}`);
      const asked = await this.bus.send(new RequestToolCall(runId, body, principal, context));
      return asked.ok ? { ...asked, data: { runId, answer: asked.data } } : asked;
    };
    if (named[0] !== undefined) return send(named[0], 0);
    for (let attempt = 0; ; attempt++) {
      const own = await this.runs.current(caller);
      if (!own.ok) return own;
      const asked = await send(own.data.runId, attempt);
      if (asked.ok || asked.rejection.code !== 'RUN_TERMINAL' || attempt + 1 === RUNS_TRIED) return asked;
    }
  }
}

type Asked = { readonly runId: string; readonly answer: ToolCallAnswer };

const answerIn = (asked: Outcome<Asked>): Outcome<ToolCallAnswer> => (asked.ok ? { ...asked, data: asked.data.answer } : asked);

const resultOf = (outcome: Outcome<ToolCallAnswer>): CallResult => (outcome.ok ? callResult(outcome.data) : refusedResult(outcome.rejection));

const patience = (waitMs: number, { progressToken }: CallWishes, { mcpReq }: ServerContext): Patience => ({ waitMs, signal: mcpReq.signal, report: progressOf(mcpReq, progressToken, waitMs) });

/** Of the 2026 revision, whose requests say what their client can do; it is the one that takes a question for an answer. */
const canAsk = ({ mcpReq }: ServerContext): boolean => {
  const { elicitation } = ((mcpReq.envelope as Readonly<Record<string, unknown>> | undefined)?.[CLIENT_CAPABILITIES_META_KEY] ?? {}) as ClientCapabilities;
  return elicitation !== undefined && (elicitation.form !== undefined || Object.keys(elicitation).length === 0);
};

const invalid = (message: string) => new ProtocolError(ProtocolErrorCode.InvalidParams, message);

const problemsOf = ({ issues }: z.ZodError): string => issues.map(({ path, message }) => `${path.join('/')}: ${message}`).join('; ').slice(0, 1_000);

/** Told as a result: whoever wrote the arguments, a model often, reads results and mends them. */
const unfit = (error: z.ZodError): CallResult => refusedResult({ kind: 'invalid', code: 'VALIDATION_FAILED', detail: problemsOf(error) });
