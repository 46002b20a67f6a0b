import { Query } from '@app/kernel';
import type { Reader } from '../scope.policy';
import type { MemoryView } from './memory.view';

/** What a reader may see and has not expired at `now`, newest first. */
export class ListMemories extends Query<{ readonly rows: readonly MemoryView[]; readonly nextCursor: string | null; readonly position: bigint }> {
  constructor(
    readonly reader: Reader,
    readonly page: { readonly now: Date; readonly limit: number; readonly cursor?: string | undefined; readonly minPosition?: bigint | undefined },
  ) {
    super();
  }
}
