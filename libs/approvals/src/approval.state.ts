import { FORGOTTEN, FORGOTTEN_TEXT, personId, unreachable, type Actor, type Aggregate } from '@app/kernel';
import type { ApprovalEvent } from './approval.events';

type EventData<T extends ApprovalEvent['type']> = Extract<ApprovalEvent, { type: T }>['data'];
export type ApprovalRequest = EventData<'ApprovalRequested'>;

export type Decided = {
  readonly by: Actor;
  readonly at: string;
  readonly decision: 'approved' | 'rejected' | 'changes_requested';
  readonly reason: string | null;
};

/** A person's word for one exact action; `by` is the person, whichever key they used. */
export type Vote = { readonly by: string; readonly actionDigest: string };

/** What holds whatever became of the question. */
type Terms = {
  readonly request: ApprovalRequest;
  readonly expiresAt: string;
  /** Who is asked by name. */
  readonly assignedTo: string | null;
  /** Persons who gave their say to somebody else. */
  readonly handedOver: readonly string[];
  /** From now on only an admin decides. */
  readonly escalated: boolean;
  /** The run of the agent that reviewed and left it to a human. */
  readonly reviewedBy: string | null;
  /** What it asked about can be read by nobody any more. */
  readonly forgotten?: true;
};
export type PendingApproval = Terms & { readonly status: 'pending'; readonly votes: readonly Vote[]; readonly lastError: string | null };
export type Approval =
  | { readonly status: 'none' }
  | PendingApproval
  | (Terms & { readonly status: 'approved'; readonly decided: Decided; readonly arguments: ApprovalRequest['arguments'] })
  | (Terms & { readonly status: 'rejected'; readonly decided: Decided })
  | (Terms & { readonly status: 'expired'; readonly expiredAt: string })
  | (Terms & { readonly status: 'superseded'; readonly reason: string });

/**
 * One question to a person about one exact action. A decision is final, with one exception: when the approved call itself failed, the
 * approval waits again, because nothing happened that was approved. Then everybody is asked anew.
 */
export const approval: Aggregate<Approval, ApprovalEvent> = {
  category: 'approval',
  stateVersion: 2,
  initial: { status: 'none' },
  evolve: (state, event) => {
    if (event.type === 'ApprovalRequested') {
      const { data: request } = event;
      return { status: 'pending', request, expiresAt: request.expiresAt, assignedTo: null, handedOver: [], escalated: false, reviewedBy: null, votes: [], lastError: null };
    }
    if (state.status === 'none') return state;
    const terms = termsOf(state);
    switch (event.type) {
      case 'ApprovalVoteCast':
        return state.status === 'pending' ? { ...state, votes: voted(state.votes, { by: personId(event.data.by), actionDigest: event.data.actionDigest }) } : state;
      case 'ApprovalApproved':
        return { ...terms, status: 'approved', decided: { ...decided(event.data), decision: 'approved' }, arguments: event.data.arguments ?? terms.request.arguments };
      case 'ApprovalRejected':
        return { ...terms, status: 'rejected', decided: { ...decided(event.data), decision: event.data.decision } };
      case 'ApprovalExpired':
        return { ...terms, status: 'expired', expiredAt: event.data.expiredAt };
      case 'ApprovalSuperseded':
        return { ...terms, status: 'superseded', reason: event.data.reason };
      case 'ApprovalExtended':
        return { ...state, expiresAt: event.data.until };
      case 'ApprovalDelegated': {
        const { by, to, toUserId } = event.data;
        const [giver, taker] = [personId(by), personId({ id: to, userId: toUserId })];
        return { ...state, assignedTo: to, handedOver: [...state.handedOver.filter((id) => id !== taker && id !== giver), giver] };
      }
      case 'ApprovalEscalated':
        return { ...state, escalated: true };
      case 'ReviewEscalated':
        return { ...state, reviewedBy: event.data.reviewerRunId };
      case 'ApprovalAnswered':
      case 'ApprovedCallSucceeded':
        return state;
      case 'ApprovedCallFailed':
        return { ...terms, status: 'pending', votes: [], lastError: event.data.error };
      case 'ApprovalForgotten':
        return withoutWords(state);
      default:
        return unreachable(event);
    }
  },
};

const termsOf = ({ request, expiresAt, assignedTo, handedOver, escalated, reviewedBy, forgotten }: Terms): Terms => ({
  request, expiresAt, assignedTo, handedOver, escalated, reviewedBy, ...(forgotten && { forgotten }),
});

/** As it reads from a log that nobody can open any more. */
const withoutWords = (state: Exclude<Approval, { status: 'none' }>): Approval => {
  const bare = { ...state, forgotten: true as const, request: { ...state.request, subject: FORGOTTEN_TEXT, arguments: FORGOTTEN } };
  if (bare.status === 'approved') return { ...bare, arguments: FORGOTTEN };
  return bare.status === 'pending' && bare.lastError !== null ? { ...bare, lastError: FORGOTTEN_TEXT } : bare;
};

/** The latest word of a person counts. */
export const voted = (votes: readonly Vote[], vote: Vote): readonly Vote[] => [...votes.filter(({ by }) => by !== vote.by), vote];

const decided = ({ by, decidedAt, reason }: { by: { kind: Actor['kind']; id: string; role?: string | undefined; userId?: string | undefined }; decidedAt: string; reason?: string | undefined }) => ({
  by: { kind: by.kind, id: by.id, ...(by.role !== undefined && { role: by.role }), ...(by.userId !== undefined && { userId: by.userId }) },
  at: decidedAt,
  reason: reason ?? null,
});
