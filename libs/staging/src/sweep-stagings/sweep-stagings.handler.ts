import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { EventStore, Executor } from '@app/event-store';
import type { Outcome } from '@app/kernel';
import { ReadModels } from '@app/projections';
import { CommitSweep } from '../commit-staging/commit-sweep';
import { dueCommit } from '../commit-staging/due-commits';
import { StagingCommitter } from '../commit-staging/staging-committer';
import { SweepStagings } from './sweep-stagings.command';

@CommandHandler(SweepStagings)
export class SweepStagingsHandler implements ICommandHandler<SweepStagings> {
  constructor(
    private readonly store: EventStore,
    private readonly executor: Executor,
    private readonly reads: ReadModels,
  ) {}

  async execute({ context: { siteId, now } }: SweepStagings): Promise<Outcome<{ readonly tried: number }>> {
    const { reads, store, executor } = this;
    const sweep = new CommitSweep({
      reads, sites: () => Promise.resolve([siteId]), commit: dueCommit(new StagingCommitter(store, executor)), now: () => now,
      onError: (error) => { throw error; },
    });
    const tried = await sweep.sweep();
    return { ok: true, data: { tried }, position: await store.head() };
  }
}
