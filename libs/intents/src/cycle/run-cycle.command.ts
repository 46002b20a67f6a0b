import { Command, type Context, type Outcome } from '@app/kernel';
import type { CycleView } from './cycle.view';

/** Runs a cycle of an intent now, whatever its schedule says; its windows hold all the same. */
export class RunCycle extends Command<Outcome<CycleView>> {
  constructor(
    readonly intentId: string,
    readonly context: Context,
  ) {
    super();
  }
}
