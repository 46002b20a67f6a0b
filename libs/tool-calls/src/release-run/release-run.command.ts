import { Command, type Context, type Outcome } from '@app/kernel';

/** Gives back the lease of a run that this process holds and does not carry out: an attempt failed and could not say so. */
export class ReleaseRun extends Command<Outcome<{ readonly released: boolean }>> {
  constructor(
    readonly runId: string,
    readonly context: Context,
  ) {
    super();
  }
}
