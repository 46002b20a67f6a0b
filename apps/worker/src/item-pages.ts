import { items } from '@app/content';
import { ItemPages, type ListedItem } from '@app/intents';
import { ReadModelBehind, type ReadModels } from '@app/projections';

const PAGE = 200;
/** A scan that misses what was written a moment ago finds it the next time. */
const CAUGHT_UP_WITHIN_MS = 2_000;

/** Items for the scans of intents, from the read model: by their ids, so that a scan goes on where it stopped whatever came in between. */
export class ReadModelItemPages extends ItemPages {
  constructor(private readonly reads: ReadModels) {
    super();
  }

  override async caughtUp(position: bigint): Promise<void> {
    await this.reads.reached(items, position, CAUGHT_UP_WITHIN_MS).catch((error: unknown) => {
      if (!(error instanceof ReadModelBehind)) throw error;
    });
  }

  override async after(siteId: string, collection: string, after: string | null): Promise<readonly ListedItem[]> {
    const where = [{ path: 'collection', is: 'eq' as const, value: collection }, ...(after === null ? [] : [{ path: 'id', is: 'gt' as const, value: after }])];
    const { rows } = await this.reads.list(items, { siteId, where, sort: { field: 'id', direction: 'asc' }, limit: PAGE });
    return rows.map(({ id, data, updatedAt }) => ({ id, data, updatedAt }));
  }
}
