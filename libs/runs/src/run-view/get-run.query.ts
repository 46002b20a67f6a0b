import { Query, type Context, type Outcome } from '@app/kernel';
import type { RunView } from './run.view';

/** Answered from the log itself, so it always shows what was just written. */
export class GetRun extends Query<Outcome<RunView>> {
  constructor(
    readonly runId: string,
    readonly context: Pick<Context, 'siteId'>,
  ) {
    super();
  }
}
