import type { AgentDecideBody, AgentDecided } from '@app/agent-review/contract';
import type { ActedApproval, ApprovalDetail, ApprovalFeedback, ApprovalStats, ApprovalView, DecideApprovalBody } from '@app/approvals/contract';
import { everyRow, type ListQuery } from './connection/pages';
import { path } from './connection/path';
import type { Answer, Page, ReadOptions, Transport, WriteOptions } from './connection/transport';
import type { ToolCallResult } from './tool-call';

export type Approval = ApprovalView;
export type { ActedApproval, AgentDecided, ApprovalDetail, ApprovalFeedback, ApprovalStats };

/** A decision with the `actionDigest` the person saw is refused with `ACTION_CHANGED` when the action is another one by now. */
export type Decision = DecideApprovalBody;

/** What an agent says of an approval, through a run of its own whose role may review. `confidence`: 0 to 1. */
export type AgentVerdict = AgentDecideBody;

export type Decided = { readonly approvalId: string; readonly status: Approval['status']; readonly call?: ToolCallResult };

/** What became of one decision of a batch: `decided`, or the `problem` that it alone met. */
export type BatchedDecision = {
  readonly approvalId: string;
  readonly ok: boolean;
  readonly decided?: Decided;
  readonly problem?: { readonly status: number; readonly code: string; readonly detail: string; readonly facts?: Readonly<Record<string, unknown>> };
};

export type ApprovalQuery = ListQuery & {
  readonly status?: Approval['status'] | undefined;
  readonly runId?: string | undefined;
  readonly domain?: string | undefined;
};

export class Approvals {
  constructor(private readonly transport: Transport) {}

  list = (query: ApprovalQuery = {}, options: ReadOptions = {}): Promise<Page<Approval>> =>
    this.transport.page('/agent/approvals', { ...options, query });

  each = (query: ApprovalQuery = {}, options: ReadOptions = {}): AsyncGenerator<Approval> => everyRow((cursor) => this.list({ ...query, cursor }, options));

  /** With the difference that the action would make. */
  get = async (approvalId: string, options?: ReadOptions): Promise<ApprovalDetail> =>
    (await this.transport.read<ApprovalDetail>(path`/agent/approvals/${approvalId}`, options)).data;

  /** An approval runs the stored call before it answers. Of two deciders one wins, the other gets `ALREADY_DECIDED`. */
  decide = (approvalId: string, decision: Decision, options?: WriteOptions): Promise<Answer<Decided>> =>
    this.transport.write('POST', path`/agent/approvals/${approvalId}/decide`, decision, options);

  /** Up to a hundred at once, each taken by itself; the results come in the order of the decisions. */
  decideBatch = (
    decisions: readonly (Decision & { readonly approvalId: string })[],
    options?: WriteOptions,
  ): Promise<Answer<{ readonly results: readonly BatchedDecision[] }>> => this.transport.write('POST', '/agent/approvals/decide', { decisions }, options);

  /** The verdict of a reviewing agent. `escalated` of the answer: it decided nothing, and a person is to. */
  agentDecide = (approvalId: string, verdict: AgentVerdict, options?: WriteOptions): Promise<Answer<AgentDecided>> =>
    this.transport.write('POST', path`/agent/approvals/${approvalId}/agent-decide`, verdict, options);

  /** What reviewers changed and wrote, per role and tool, all in one page. */
  feedback = (options: ReadOptions = {}): Promise<Page<ApprovalFeedback>> => this.transport.page('/agent/approvals/feedback', options);

  /** How often and how fast people approve, per policy, and rules that would decide like them; all in one page. */
  stats = (options: ReadOptions = {}): Promise<Page<ApprovalStats>> => this.transport.page('/agent/approvals/stats', options);

  /** Words for the agent; the approval goes on waiting. */
  answer = (approvalId: string, text: string, options?: WriteOptions): Promise<Answer<ActedApproval>> => this.#act(approvalId, 'answer', { text }, options);

  /** `until`: ISO 8601 with a zone, later than now. */
  extend = (approvalId: string, until: string, options?: WriteOptions): Promise<Answer<ActedApproval>> => this.#act(approvalId, 'extend', { until }, options);

  /** Hands one's own say to another person. */
  delegate = (approvalId: string, to: string, note?: string, options?: WriteOptions): Promise<Answer<ActedApproval>> =>
    this.#act(approvalId, 'delegate', { to, ...(note !== undefined && { note }) }, options);

  /** From then on only an admin decides. */
  escalate = (approvalId: string, reason: string, options?: WriteOptions): Promise<Answer<ActedApproval>> => this.#act(approvalId, 'escalate', { reason }, options);

  #act = (approvalId: string, verb: string, body: object, options?: WriteOptions): Promise<Answer<ActedApproval>> =>
    this.transport.write('POST', path`/agent/approvals/${approvalId}/${verb}`, body, options);
}
