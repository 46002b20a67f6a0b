import { Command, type Context, type Outcome } from '@app/kernel';

/** The process that ran a call is gone, and no outcome is on record. */
export class RecoverCall extends Command<Outcome<{ readonly became: 'settled' | 'repeated' | 'indeterminate' }>> {
  constructor(
    readonly runId: string,
    readonly callId: string,
    readonly contextFor: (step: string) => Context,
  ) {
    super();
  }
}
