import { Query } from '@app/kernel';
import type { CheckpointView } from './checkpoint.view';

export type CheckpointsPage = { readonly rows: readonly CheckpointView[]; readonly nextCursor: string | null; readonly position: bigint };

/** The signed checkpoints, newest first; with `below`, those of smaller positions. They speak of the whole log, so they belong to no site. */
export class ListCheckpoints extends Query<CheckpointsPage> {
  constructor(
    readonly limit: number,
    readonly below?: bigint,
  ) {
    super();
  }
}
