import { Query } from '@app/kernel';

/** What is wrong with the log, or what was verified; see the log's `ChainVerdict`. Positions and counts are text. */
export type LogVerdict =
  | {
      readonly ok: true;
      readonly events: string;
      readonly batches: string;
      readonly head: string;
      readonly chain: string;
      readonly checkpoints: number;
      readonly signedUpTo: string | null;
    }
  | { readonly ok: false; readonly position: string; readonly reason: string; readonly detail: string };

export type VerifyStep =
  | { readonly step: 'progress'; readonly data: { readonly verified: string; readonly total: string } }
  | { readonly step: 'verdict'; readonly data: LogVerdict };

/** Verifies the whole log from a position on (default: from the beginning); the last step is the verdict. Aborting ends the steps. */
export class VerifyLog extends Query<AsyncIterable<VerifyStep>> {
  constructor(
    readonly signal: AbortSignal,
    readonly after?: bigint,
  ) {
    super();
  }
}
