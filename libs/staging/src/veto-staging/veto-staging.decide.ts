import type { Approval, ApprovalEvent } from '@app/approvals/contract';
import { accept, missing, reject, type Context, type Decision } from '@app/kernel';
import type { StagingEvent } from '../staging.events';
import type { SettledStaging, Staging } from '../staging.state';
import type { VetoStagingBody } from './veto-staging.command';

export type VetoEvents = { readonly staging: readonly StagingEvent[]; readonly approval: readonly ApprovalEvent[] };

const SAID: Readonly<Record<SettledStaging['status'], string>> = {
  vetoed: 'vetoed', committed: 'committed', committed_partially: 'committed in part', abandoned: 'abandoned',
};
export const settledBefore = ({ status, at, by }: SettledStaging) =>
  reject('conflict', 'ALREADY_DECIDED', `This change was ${SAID[status]} at ${at}${by === null ? '' : ` by ${by}`}.`, { status, at, by });

/** A veto counts until the commit, not until the deadline: a change that a freeze or an outage held back can still be stopped. */
export const vetoStaging = (
  { staging, approval }: { readonly staging: Staging; readonly approval: Approval },
  { reason }: VetoStagingBody,
  incidentId: string,
  { siteId, actor, now }: Pick<Context, 'siteId' | 'actor' | 'now'>,
): Decision<VetoEvents> => {
  if (staging.status === 'none' || staging.change.siteId !== siteId) return missing();
  if (actor.kind === 'agent') return reject('forbidden', 'FORBIDDEN', 'Agents do not decide about staged changes; a person does.');
  if (staging.status !== 'staged') return settledBefore(staging);
  const by = { kind: actor.kind, id: actor.id, ...(actor.role !== undefined && { role: actor.role }) };
  const at = now.toISOString();
  return accept({
    staging: [{ type: 'StagingVetoed', data: { by, vetoedAt: at, reason: reason ?? null, incidentId } }],
    approval:
      approval.status === 'pending'
        ? [{ type: 'ApprovalRejected', data: { by, decidedAt: at, channel: 'api', assurance: 'api_key', decision: 'rejected', reason: reason ?? 'Vetoed' } }]
        : [],
  });
};
