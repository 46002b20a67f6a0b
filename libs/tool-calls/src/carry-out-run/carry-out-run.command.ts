import { Command, type Context, type Outcome } from '@app/kernel';

/** `elsewhere`: another worker has it, or nothing is left to do. `later`: the door put the task off for so many milliseconds. */
export type CarriedOut = { readonly state: 'done' | 'elsewhere' } | { readonly state: 'later'; readonly retryAfterMs: number };

/** Takes a queued run and carries out its task, through the same door as every other call. */
export class CarryOutRun extends Command<Outcome<CarriedOut>> {
  constructor(
    readonly runId: string,
    readonly contextFor: (step: string) => Context,
  ) {
    super();
  }
}
