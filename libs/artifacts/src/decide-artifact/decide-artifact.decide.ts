import { decideApproval, type Approval, type ApprovalEvent, type DecideApprovalBody, type Reviewer } from '@app/approvals/contract';
import type { Governance } from '@app/governance/contract';
import { accept, missing, personId, reject, type Context, type Decision } from '@app/kernel';
import type { ArtifactEvent } from '../artifact.events';
import { currentOf, type Artifact } from '../artifact.state';
import { personOfActor } from '../person.policy';

type States = { readonly artifact: Artifact; readonly approval: Approval; readonly governance: Governance };
type Events = { readonly artifact: readonly ArtifactEvent[]; readonly approval: readonly ApprovalEvent[] };

/** Agreeing approves exactly the version that was shown; it publishes nothing. Anything else gives it back to its makers. */
export const decideArtifact = (
  { artifact, approval, governance }: States,
  body: DecideApprovalBody,
  reviewer: Reviewer,
  { siteId, now }: Pick<Context, 'siteId' | 'now'>,
): Decision<Events> => {
  if (artifact.status === 'none' || artifact.siteId !== siteId || approval.status === 'none' || governance.status === 'none') return missing();
  if (body.arguments !== undefined) {
    return reject('invalid', 'VALIDATION_FAILED', 'An artifact is changed by revising it, not on approval.', { errors: [{ pointer: '/arguments', detail: 'Not for artifacts' }] });
  }
  const { request } = approval;
  const { version, provenance } = currentOf(artifact);
  const requesters = governance.settings.separationOfDuties ? [personId(request.requestedBy), personId(provenance.by)] : [];
  const decided = decideApproval(approval, body, { actionDigest: request.actionDigest, requesters, now }, reviewer);
  if (!decided.ok) return decided;
  const words = { version, approvalId: request.approvalId, by: personOfActor(reviewer.actor), at: now.toISOString() };
  const follows = decided.events.flatMap((event): readonly ArtifactEvent[] => {
    if (event.type === 'ApprovalApproved') return [{ type: 'ArtifactApproved', data: words }];
    return event.type === 'ApprovalRejected' ? [{ type: 'ArtifactReturned', data: { ...words, reason: event.data.reason } }] : [];
  });
  return accept({ artifact: follows, approval: decided.events });
};
