export { CommitSweep } from './commit-staging/commit-sweep';
export { commitDeadlines } from './commit-staging/commit-deadlines.process';
export { dueCommit } from './commit-staging/due-commits';
export { StagingCommitter } from './commit-staging/staging-committer';
export { stagings } from './staged-list/stagings.projection';
export { stagingEvents } from './staging.events';
export { StagingModule } from './staging.module';
