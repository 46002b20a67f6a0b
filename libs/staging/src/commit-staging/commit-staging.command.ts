import { Command, type Context, type Outcome } from '@app/kernel';
import type { StagedView } from '../staged-list/staged.view';

/** A person says yes before the window has closed. */
export class CommitStagingNow extends Command<Outcome<StagedView>> {
  constructor(
    readonly stagingId: string,
    readonly context: Context,
  ) {
    super();
  }
}
