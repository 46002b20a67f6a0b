import { Injectable } from '@nestjs/common';
import { Executor } from '@app/event-store';
import { collection, collectionId, type LiveCollection } from './collection.state';
import { Name } from './field.schema';

type Found = { readonly state: LiveCollection; readonly version: number; readonly position: bigint };

/** Collections as the log has them now: what may be asked of items depends on their fields. */
@Injectable()
export class CollectionReader {
  constructor(private readonly executor: Executor) {}

  /** Null for a name that this site has no collection under. */
  async find(siteId: string, name: string): Promise<Found | null> {
    if (!Name.safeParse(name).success) return null;
    const { state, version, position } = await this.executor.current(collection, collectionId(siteId, name));
    return state.status === 'live' ? { state, version, position } : null;
  }
}
