import type { ActedApproval, ApprovalDetail, ApprovalView, DecideApprovalBody } from '@app/approvals/contract';
import { everyRow, type ListQuery } from './connection/pages';
import { path } from './connection/path';
import type { Answer, Page, ReadOptions, Transport, WriteOptions } from './connection/transport';
import type { ToolCallResult } from './tool-call';

export type Approval = ApprovalView;
export type { ActedApproval, ApprovalDetail };

/** A decision with the `actionDigest` the person saw is refused with `ACTION_CHANGED` when the action is another one by now. */
export type Decision = DecideApprovalBody;

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

  /** Words for the agent; the approval goes on waiting. */
  answer = (approvalId: string, text: string, options?: WriteOptions): Promise<Answer<ActedApproval>> => this.act(approvalId, 'answer', { text }, options);

  /** `until`: ISO 8601 with a zone, later than now. */
  extend = (approvalId: string, until: string, options?: WriteOptions): Promise<Answer<ActedApproval>> => this.act(approvalId, 'extend', { until }, options);

  /** Hands one's own say to another person. */
  delegate = (approvalId: string, to: string, note?: string, options?: WriteOptions): Promise<Answer<ActedApproval>> =>
    this.act(approvalId, 'delegate', { to, ...(note !== undefined && { note }) }, options);

  /** From then on only an admin decides. */
  escalate = (approvalId: string, reason: string, options?: WriteOptions): Promise<Answer<ActedApproval>> => this.act(approvalId, 'escalate', { reason }, options);

  private act = (approvalId: string, verb: string, body: object, options?: WriteOptions): Promise<Answer<ActedApproval>> =>
    this.transport.write('POST', path`/agent/approvals/${approvalId}/${verb}`, body, options);
}
