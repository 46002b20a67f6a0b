import { personOf, type Approval, type ApprovalEvent } from '@app/approvals/contract';
import { freezeOf, type Governance } from '@app/governance/contract';
import { accept, missing, personId, reject, type Context, type Decision } from '@app/kernel';
import type { Staging } from '../staging.state';
import { settledBefore } from '../veto-staging/veto-staging.decide';

/** A person's yes to a staged change; a repeat adds nothing. The commit that follows is the agent's change and names this word as its cause. */
export const approveStaging = (
  { staging, approval, governance }: { readonly staging: Staging; readonly approval: Approval; readonly governance: Governance },
  /** Whose key the change was made with. */
  owner: string,
  { siteId, actor, now }: Pick<Context, 'siteId' | 'actor' | 'now'>,
): Decision<{ readonly approval?: readonly ApprovalEvent[] }> => {
  if (staging.status === 'none' || staging.change.siteId !== siteId || governance.status === 'none') return missing();
  if (actor.kind === 'agent') return reject('forbidden', 'FORBIDDEN', 'Agents do not decide about staged changes; a person does.');
  if (staging.status !== 'staged') return settledBefore(staging);
  const freeze = freezeOf(governance, staging.change);
  if (freeze) return reject('frozen', 'FROZEN', 'A freeze holds this change back until it is lifted.', { freezeId: freeze.freezeId, scope: freeze.scope });
  if (governance.settings.separationOfDuties && [owner, staging.change.author.id].includes(personId(actor)))
    return reject('forbidden', 'FORBIDDEN', 'Nobody decides their own request on this site; ask somebody else.');
  if (approval.status !== 'pending') return accept({});
  const { actionDigest } = staging.change;
  return accept({ approval: [{ type: 'ApprovalApproved', data: { by: personOf(actor), decidedAt: now.toISOString(), channel: 'api', assurance: 'api_key', actionDigest } }] });
};
