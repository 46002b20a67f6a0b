import { describe, expect, it } from '@jest/globals';
import type { StagingEvent } from '../staging.events';
import { commitDeadlines } from './commit-deadlines.process';

const seen = (event: { type: string; data: unknown }, streamId = 'staging-stg_1') =>
  commitDeadlines({ ...(event as StagingEvent), streamId, siteId: 'site_a', occurredAt: '2030-01-01T12:00:00.000Z' });

describe('The deadline of a staged change', () => {
  it('is the end of its window, moves with a failed commit, and goes with every end', () => {
    expect(seen({ type: 'ChangeStaged', data: { autoCommitAt: '2030-01-01T14:00:00.000Z' } })).toEqual([{ set: 'stg_1', at: '2030-01-01T14:00:00.000Z', topic: 'veto' }]);
    expect(seen({ type: 'StagingCommitFailed', data: { retryAt: '2030-01-01T14:01:00.000Z' } })).toEqual([{ move: 'stg_1', at: '2030-01-01T14:01:00.000Z' }]);
    expect(seen({ type: 'StagingCommitFailed', data: { retryAt: null } })).toEqual([{ clear: 'stg_1' }]);
    for (const type of ['StagingVetoed', 'StagingCommitted', 'StagingCommittedPartially', 'StagingAbandoned']) expect(seen({ type, data: {} })).toEqual([{ clear: 'stg_1' }]);
  });

  it('comes up again for the whole site when a freeze is lifted', () => {
    expect(seen({ type: 'FreezeLifted', data: { freezeId: 'frz_1', by: 'key_ada' } }, 'governance-site_a')).toEqual([{ wakeSite: 'site_a', at: '2030-01-01T12:00:00.000Z' }]);
    expect(seen({ type: 'ScopeFrozen', data: {} }, 'governance-site_a')).toEqual([]);
  });
});
