import { accept, missing, reject, type Context, type Decision } from '@app/kernel';
import type { ApprovalEvent } from '../approval.events';
import type { Approval } from '../approval.state';
import type { DecideApprovalBody } from './decide-approval.command';

/**
 * One answer to one pending question. The caller pairs it, in the same append, with what it does to the run.
 * `actionDigest` is that of the action that would now run: the requested one, or the one with the reviewer's arguments.
 */
export const decideApproval = (
  state: Approval,
  { decision, reason, arguments: edited, actionDigest: seen }: DecideApprovalBody,
  actionDigest: string,
  { actor, now }: Pick<Context, 'actor' | 'now'>,
): Decision<readonly ApprovalEvent[]> => {
  if (state.status === 'none') return missing();
  if (state.status === 'superseded') {
    return reject('conflict', 'ALREADY_DECIDED', `Nothing is left to decide: ${state.reason}.`, { status: state.status });
  }
  if (state.status !== 'pending') {
    const { by, at } = state.decided;
    return reject('conflict', 'ALREADY_DECIDED', `${by.id} already decided this approval at ${at}.`, { by: by.id, at, status: state.status });
  }
  const { request } = state;
  if (now.getTime() >= Date.parse(request.expiresAt)) {
    return reject('conflict', 'ALREADY_DECIDED', `This approval expired at ${request.expiresAt}.`, { at: request.expiresAt, status: 'expired' });
  }
  if (seen !== undefined && seen !== request.actionDigest) {
    return reject('conflict', 'ACTION_CHANGED', 'The action is not the one you saw; load the approval again.', { actionDigest: request.actionDigest });
  }
  const by = { kind: actor.kind, id: actor.id, ...(actor.role !== undefined && { role: actor.role }) };
  const common = { by, decidedAt: now.toISOString(), channel: 'api' as const };
  if (decision === 'approved') {
    return accept([
      { type: 'ApprovalApproved', data: { ...common, actionDigest, ...(reason !== undefined && { reason }), ...(edited !== undefined && { arguments: edited }) } },
    ]);
  }
  if (reason === undefined) {
    return reject('invalid', 'VALIDATION_FAILED', 'Say why: the reason goes back to the agent.', { errors: [{ pointer: '/reason', detail: 'Required' }] });
  }
  return accept([{ type: 'ApprovalRejected', data: { ...common, decision, reason } }]);
};
