import type { ApprovalDetail, ApprovalView, DecideApprovalBody } from '@app/approvals/contract';
import { everyRow, type ListQuery } from './connection/pages';
import { path } from './connection/path';
import type { Answer, Page, ReadOptions, Transport, WriteOptions } from './connection/transport';
import type { ToolCallResult } from './tool-call';

export type Approval = ApprovalView;
export type { ApprovalDetail };

/** A decision with the `actionDigest` the person saw is refused with `ACTION_CHANGED` when the action is another one by now. */
export type Decision = DecideApprovalBody;

export type Decided = { readonly approvalId: string; readonly status: Approval['status']; readonly call?: ToolCallResult };

export type ApprovalQuery = ListQuery & { readonly status?: Approval['status'] | undefined; readonly runId?: string | undefined };

export class Approvals {
  constructor(private readonly transport: Transport) {}

  list = (query: ApprovalQuery = {}, options: ReadOptions = {}): Promise<Page<Approval>> =>
    this.transport.page('/agent/approvals', { ...options, query });

  each = (query: ApprovalQuery = {}): AsyncGenerator<Approval> => everyRow((cursor) => this.list({ ...query, cursor }));

  /** With the difference that the action would make. */
  get = async (approvalId: string, options?: ReadOptions): Promise<ApprovalDetail> =>
    (await this.transport.read<ApprovalDetail>(path`/agent/approvals/${approvalId}`, options)).data;

  /** An approval runs the stored call before it answers. Of two deciders one wins, the other gets `ALREADY_DECIDED`. */
  decide = (approvalId: string, decision: Decision, options?: WriteOptions): Promise<Answer<Decided>> =>
    this.transport.write('POST', path`/agent/approvals/${approvalId}/decide`, decision, options);
}
