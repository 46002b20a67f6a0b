import { Query, type Outcome } from '@app/kernel';
import type { GovernanceSnapshot } from './governance-snapshot.view';

/** The rules of a site that a run's `policySnapshotHash` stands for. */
export class GetGovernanceSnapshot extends Query<Outcome<GovernanceSnapshot>> {
  constructor(readonly hash: string, readonly siteId: string) {
    super();
  }
}
