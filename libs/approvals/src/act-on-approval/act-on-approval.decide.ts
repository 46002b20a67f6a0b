import { accept, may, missing, personId, reject, type Decision, type Principal } from '@app/kernel';
import type { ApprovalEvent } from '../approval.events';
import type { Approval, PendingApproval } from '../approval.state';
import { agentsDoNot, notTheirs, personOf, settledAlready, type Reviewer } from '../reviewer.policy';
import type { ActedApproval, ApprovalAct } from './act-on-approval.command';

const LONGEST_MS = 365 * 24 * 3_600_000;

const invalid = (pointer: string, detail: string) => reject('invalid', 'VALIDATION_FAILED', 'The request does not fit this approval.', { errors: [{ pointer, detail }] });

/** The approval when this reviewer may act on it, else why not. */
const openTo = (state: Approval, reviewer: Reviewer, now: Date) => {
  if (state.status === 'none') return missing();
  const refused = agentsDoNot(reviewer) ?? settledAlready(state, now);
  if (refused || state.status !== 'pending') return refused ?? missing();
  return notTheirs(state, reviewer, []) ?? { ok: true as const, pending: state };
};

/** `delegate` is the person named, as the site knows them; null when it does not. */
export const actOnApproval = (state: Approval, act: ApprovalAct, reviewer: Reviewer, delegate: Principal | null, now: Date): Decision<readonly ApprovalEvent[]> => {
  const open = openTo(state, reviewer, now);
  if (!open.ok) return open;
  const by = personOf(reviewer.actor);
  switch (act.do) {
    case 'extend':
      return extended(open.pending, new Date(act.until), by, now);
    case 'delegate': {
      if (act.to === by.id || (delegate && personId(delegate) === personId(by))) return invalid('/to', 'Somebody else');
      if (delegate?.kind !== 'human' || !may(delegate, 'approvals:decide')) return invalid('/to', 'A person of this site who may decide approvals');
      return accept([{ type: 'ApprovalDelegated', data: { by, to: act.to, ...(delegate.userId !== undefined && { toUserId: delegate.userId }), ...(act.note !== undefined && { note: act.note }) } }]);
    }
    case 'escalate':
      return accept(open.pending.escalated ? [] : [{ type: 'ApprovalEscalated', data: { by, reason: act.reason } }]);
  }
};

const extended = ({ expiresAt }: PendingApproval, until: Date, by: ReturnType<typeof personOf>, now: Date): Decision<readonly ApprovalEvent[]> => {
  if (until.getTime() === Date.parse(expiresAt)) return accept([]);
  if (until.getTime() < Date.parse(expiresAt)) return invalid('/until', `Later than ${expiresAt}; to end it sooner, decide it`);
  if (until.getTime() > now.getTime() + LONGEST_MS) return invalid('/until', 'At most a year from now');
  return accept([{ type: 'ApprovalExtended', data: { by, from: expiresAt, until: until.toISOString() } }]);
};

/** Words are for the agent, so everybody who may look may answer; nothing is decided by them. */
export const answerApproval = (state: Approval, text: string, reviewer: Reviewer, now: Date): Decision<readonly ApprovalEvent[]> => {
  const open = openTo(state, reviewer, now);
  return open.ok ? accept([{ type: 'ApprovalAnswered', data: { by: personOf(reviewer.actor), answeredAt: now.toISOString(), text } }]) : open;
};

export const actedView = (approvalId: string, state: Exclude<Approval, { status: 'none' }>): ActedApproval => ({
  approvalId, status: state.status, expiresAt: state.expiresAt, assignedTo: state.assignedTo, escalated: state.escalated,
});
