import { Command, type Context, type Outcome } from '@app/kernel';

/** Commits the staged changes of a site that are due and whose deadline was lost; none before its time. */
export class SweepStagings extends Command<Outcome<{ readonly tried: number }>> {
  constructor(readonly context: Pick<Context, 'siteId' | 'now'>) {
    super();
  }
}
