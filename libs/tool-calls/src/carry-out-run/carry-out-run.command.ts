import { Command, type Context, type Outcome } from '@app/kernel';

/**
 * `elsewhere`: nothing is left for a worker to do. `later`: the door put the task off for so many milliseconds. `held`: another attempt is under way, here
 * or in another process; should it come to nothing, somebody has to try again after that time.
 */
export type CarriedOut = { readonly state: 'done' | 'elsewhere' } | { readonly state: 'later' | 'held'; readonly retryAfterMs: number };

/** Takes a queued run and carries out its task, through the same door as every other call. */
export class CarryOutRun extends Command<Outcome<CarriedOut>> {
  constructor(
    readonly runId: string,
    readonly contextFor: (step: string) => Context,
  ) {
    super();
  }
}
