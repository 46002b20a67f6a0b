import { Command, type Context, type Outcome } from '@app/kernel';
import type { EndedRun } from '../end-run/end-run.command';
import type { Ending } from '../run-ending.policy';
import type { RunEvent } from '../run.events';

/** The product itself ends a run: time is up, or its task cannot be carried out. */
export class StopRun extends Command<Outcome<EndedRun>> {
  constructor(
    readonly runId: string,
    readonly ending: Ending,
    readonly context: Context,
    /** `only` a run of these statuses; `because` is written before the end. */
    readonly terms: { readonly only?: readonly ('queued' | 'running' | 'awaiting_approval')[]; readonly because?: Extract<RunEvent, { type: 'RunDeadLettered' }> } = {},
  ) {
    super();
  }
}
