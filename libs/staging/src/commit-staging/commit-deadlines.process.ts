import type { GovernanceEvent } from '@app/governance/contract';
import type { StagingEvent } from '../staging.events';

/** A change of what has to happen at which time. */
export type CommitDeadline =
  | { readonly set: string; readonly at: string; readonly topic: string }
  | { readonly move: string; readonly at: string }
  | { readonly clear: string }
  | { readonly wakeSite: string; readonly at: string };
type Seen = (StagingEvent | GovernanceEvent) & { readonly streamId: string; readonly siteId: string; readonly occurredAt: string };

/** When a staged change is to be committed. A freeze only makes a commit wait; its lift asks for all that came due meanwhile. */
export const commitDeadlines = ({ type, data, streamId, siteId, occurredAt }: Seen): readonly CommitDeadline[] => {
  const stagingId = streamId.slice('staging-'.length);
  switch (type) {
    case 'ChangeStaged':
      return [{ set: stagingId, at: data.autoCommitAt, topic: 'veto' }];
    case 'StagingCommitFailed':
      return [data.retryAt === null ? { clear: stagingId } : { move: stagingId, at: data.retryAt }];
    case 'StagingVetoed':
    case 'StagingCommitted':
    case 'StagingCommittedPartially':
    case 'StagingAbandoned':
      return [{ clear: stagingId }];
    case 'FreezeLifted':
      return [{ wakeSite: siteId, at: occurredAt }];
    default:
      return [];
  }
};
