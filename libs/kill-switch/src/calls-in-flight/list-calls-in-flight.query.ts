import type { Freeze } from '@app/governance/contract';
import { Query } from '@app/kernel';
import type { CallInFlight } from './call-in-flight.view';

/** Handlers in a scope that may still be running, known up to `asOf`. Waits a moment for `asOf` to reach `after`, and answers anyway. */
export class ListCallsInFlight extends Query<{ readonly calls: readonly CallInFlight[]; readonly asOf: bigint }> {
  constructor(
    readonly siteId: string,
    readonly scope: Pick<Freeze, 'scope' | 'targetId'>,
    readonly after: bigint,
  ) {
    super();
  }
}
