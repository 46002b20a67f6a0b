import { unreachable, type Actor, type Aggregate } from '@app/kernel';
import type { ApprovalEvent } from './approval.events';

type Requested = Extract<ApprovalEvent, { type: 'ApprovalRequested' }>['data'];

export type Decided = {
  readonly by: Actor;
  readonly at: string;
  readonly decision: 'approved' | 'rejected' | 'changes_requested';
  readonly reason: string | null;
};

export type Approval =
  | { readonly status: 'none' }
  | { readonly status: 'pending'; readonly request: Requested; readonly lastError: string | null }
  | { readonly status: 'approved'; readonly request: Requested; readonly decided: Decided; readonly arguments: Requested['arguments'] }
  | { readonly status: 'rejected'; readonly request: Requested; readonly decided: Decided }
  | { readonly status: 'superseded'; readonly request: Requested; readonly reason: string };

/**
 * One question to a person about one exact action. A decision is final, with one exception: when the approved call itself failed, the
 * approval waits again, because nothing happened that was approved.
 */
export const approval: Aggregate<Approval, ApprovalEvent> = {
  category: 'approval',
  stateVersion: 1,
  initial: { status: 'none' },
  evolve: (state, event) => {
    if (event.type === 'ApprovalRequested') return { status: 'pending', request: event.data, lastError: null };
    if (state.status === 'none') return state;
    const { request } = state;
    switch (event.type) {
      case 'ApprovalApproved':
        return { status: 'approved', request, decided: { ...decided(event.data), decision: 'approved' }, arguments: event.data.arguments ?? request.arguments };
      case 'ApprovalRejected':
        return { status: 'rejected', request, decided: { ...decided(event.data), decision: event.data.decision } };
      case 'ApprovalSuperseded':
        return { status: 'superseded', request, reason: event.data.reason };
      case 'ApprovedCallSucceeded':
        return state;
      case 'ApprovedCallFailed':
        return { status: 'pending', request, lastError: event.data.error };
      default:
        return unreachable(event);
    }
  },
};

const decided = ({ by, decidedAt, reason }: { by: { kind: Actor['kind']; id: string; role?: string | undefined }; decidedAt: string; reason?: string | undefined }) => ({
  by: { kind: by.kind, id: by.id, ...(by.role !== undefined && { role: by.role }) },
  at: decidedAt,
  reason: reason ?? null,
});
