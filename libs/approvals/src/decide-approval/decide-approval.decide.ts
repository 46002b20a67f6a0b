import { accept, missing, personId, reject, type Decision } from '@app/kernel';
import type { ApprovalEvent } from '../approval.events';
import { voted, type Approval } from '../approval.state';
import { agentsDoNot, notTheirs, personOf, settledAlready, type Reviewer } from '../reviewer.policy';
import type { DecideApprovalBody } from './decide-approval.command';

/** What the decision is taken on besides the question itself. */
export type DecisionFacts = {
  /** That of the action that would now run: the requested one, or the one with the reviewer's arguments. */
  readonly actionDigest: string;
  /** Those who may not decide because it is their own request; empty when the site does not separate duties. */
  readonly requesters: readonly string[];
  readonly now: Date;
};

/**
 * One answer to one pending question. The caller pairs it, in the same append, with what it does to the run. With a quorum the first
 * approvals are votes, and only the one that completes it decides; one rejection rejects. Votes count for one exact action: approving
 * other arguments than a colleague did is a vote for another action.
 */
export const decideApproval = (
  state: Approval,
  { decision, reason, arguments: edited, actionDigest: seen }: DecideApprovalBody,
  { actionDigest, requesters, now }: DecisionFacts,
  reviewer: Reviewer,
): Decision<readonly ApprovalEvent[]> => {
  if (state.status === 'none') return missing();
  const refused = agentsDoNot(reviewer) ?? settledAlready(state, now);
  if (refused || state.status !== 'pending') return refused ?? missing();
  const { request, votes } = state;
  const forbidden = notTheirs(state, reviewer, requesters);
  if (forbidden) return forbidden;
  if (seen !== undefined && seen !== request.actionDigest) {
    return reject('conflict', 'ACTION_CHANGED', 'The action is not the one you saw; load the approval again.', { actionDigest: request.actionDigest });
  }
  const { actor, channel, assurance, review } = reviewer;
  const entry = { by: personOf(actor), channel, assurance };
  const at = now.toISOString();
  if (decision !== 'approved') {
    if (reason === undefined && channel !== 'legacy_api') {
      return reject('invalid', 'VALIDATION_FAILED', 'Say why: the reason goes back to the agent.', { errors: [{ pointer: '/reason', detail: 'Required' }] });
    }
    return accept([{ type: 'ApprovalRejected', data: { ...entry, decidedAt: at, decision, reason: reason ?? decision } }]);
  }
  const vote = {
    ...entry, actionDigest, ...(reason !== undefined && { reason }),
    ...(edited !== undefined && { requestedArguments: request.arguments, arguments: edited }),
  };
  const counted = voted(votes, { by: personId(actor), actionDigest });
  if (counted.filter((each) => each.actionDigest === actionDigest).length >= request.quorum) {
    return accept([{ type: 'ApprovalApproved', data: { ...vote, decidedAt: at, ...(review && { approverRunId: review.runId, confidence: review.confidence }) } }]);
  }
  const said = votes.some((each) => each.by === personId(actor) && each.actionDigest === actionDigest);
  return accept(said ? [] : [{ type: 'ApprovalVoteCast', data: { ...vote, castAt: at } }]);
};
