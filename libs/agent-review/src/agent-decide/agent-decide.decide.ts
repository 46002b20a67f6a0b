import { accept, missing, type Decision } from '@app/kernel';
import { approvalLink, personOf, type ApprovalEvent } from '@app/approvals/contract';
import { leftToHuman, reviewRefusal, type ReviewFacts } from '../agent-review.policy';
import { escalationCause } from '../finality.policy';
import type { AgentDecideBody } from './agent-decide.command';

/**
 * Leaves to a human what the agent may review and its verdict does not decide. No events: the verdict decides and goes to the door, or this
 * very review has been escalated before.
 */
export const escalateReview = (facts: ReviewFacts, { verdict, confidence, reason, reviewerRunId }: AgentDecideBody): Decision<readonly ApprovalEvent[]> => {
  const refused = reviewRefusal(facts);
  if (refused) return refused;
  const { approval, site: { settings }, reviewer, now } = facts;
  if (approval.status === 'none') return missing();
  const cause = escalationCause({ verdict, confidence }, settings, approval.request.quorum);
  const left = leftToHuman(approval);
  if (left) return cause && approval.reviewedBy === reviewerRunId ? accept([]) : left;
  if (!cause) return accept([]);
  return accept([
    {
      type: 'ReviewEscalated',
      data: {
        reviewerRunId, by: personOf(reviewer.actor), verdict, confidence, minConfidence: settings.agentReviewMinConfidence, cause, reason,
        escalatedAt: now.toISOString(), deepLink: approvalLink(approval.request.approvalId),
      },
    },
  ]);
};
