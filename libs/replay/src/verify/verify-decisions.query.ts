import { Query } from '@app/kernel';
import type { ReplayMismatch } from '../redecide/mismatch.view';
import type { Range } from '../moment/moment.policy';

/** What a replay has come to. `mismatches` holds the first hundred; `differing` counts all. `position` is the last one looked at. */
export type ReplayVerdict = {
  readonly ok: boolean;
  readonly decisions: number;
  readonly differing: number;
  /** Decisions that cannot be taken again, because what was asked was forgotten. */
  readonly forgotten?: number;
  readonly mismatches: readonly ReplayMismatch[];
  readonly position: string;
};
export type ReplayProgress = { readonly position: string; readonly head: string; readonly decisions: number };
export type ReplayStep = { readonly step: 'progress'; readonly data: ReplayProgress } | { readonly step: 'verdict'; readonly data: ReplayVerdict };

/** Takes the recorded decisions of a site, or of one run of it, again; the last step is the verdict. Aborting ends the steps. */
export class VerifyDecisions extends Query<AsyncIterable<ReplayStep>> {
  constructor(
    readonly siteId: string,
    readonly scope: Range & { readonly runId?: string | undefined },
    readonly signal: AbortSignal,
  ) {
    super();
  }
}
