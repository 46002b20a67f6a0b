import type { Consumers, EventStore, Executor } from '@app/event-store';
import type { Recorded } from '@app/kernel';
import type { ReadModels } from '@app/projections';
import { Deadlines } from '@app/scheduler';
import { commitDeadlines, CommitSweep, dueCommit, StagingCommitter } from '@app/staging';
import type { Pool } from 'pg';
import { siteIds } from './site-ids';

export type VetoCommitsOptions = {
  readonly pool: Pool;
  readonly consumers: Consumers;
  readonly store: EventStore;
  readonly executor: Executor;
  readonly reads: ReadModels;
  readonly onError: (error: unknown) => void;
  readonly now?: () => Date;
};

/** Changes that nobody vetoed in time are committed: by a durable deadline each, and by a sweep should one be lost. */
export const vetoCommits = ({ pool, consumers, store, executor, reads, onError, ...clock }: VetoCommitsOptions) => {
  const commit = dueCommit(new StagingCommitter(store, executor));
  const deadlines = new Deadlines({
    name: 'agent-veto-commits', db: pool, consumers, onError, ...clock,
    filter: { types: ['ChangeStaged', 'StagingVetoed', 'StagingCommitted', 'StagingCommittedPartially', 'StagingCommitFailed', 'StagingAbandoned', 'FreezeLifted'] },
    changes: (event: Recorded) => commitDeadlines(event as unknown as Parameters<typeof commitDeadlines>[0]),
    fire: ({ key, siteId, dueAt, eventId }, now) => commit(key, { siteId, now, correlationId: `veto:${key}:${dueAt.getTime()}`, eventId }),
  });
  const sweep = new CommitSweep({ reads, sites: () => siteIds(pool), commit, onError, ...clock });
  return {
    deadlines,
    sweep,
    start: () => {
      deadlines.start();
      sweep.start();
    },
    stop: async () => {
      await deadlines.stop();
      await sweep.stop();
    },
  };
};
