import { Injectable } from '@nestjs/common';
import { Executor } from '@app/event-store';
import { missing, type Rejected } from '@app/kernel';
import { liveCollection } from './collection.policy';
import { collection, collectionId, type LiveCollection } from './collection.state';
import { Name } from './field.schema';

type Found = { readonly ok: true; readonly state: LiveCollection; readonly version: number; readonly position: bigint };

/** Collections as the log has them now: what may be asked of items depends on their fields. */
@Injectable()
export class CollectionReader {
  constructor(private readonly executor: Executor) {}

  /** Refused for a name that this site has no collection under, or none any more. */
  async find(siteId: string, name: string): Promise<Found | Rejected> {
    if (!Name.safeParse(name).success) return missing();
    const { state, version, position } = await this.executor.current(collection, collectionId(siteId, name));
    const found = liveCollection(state, version);
    return found.ok ? { ok: true, state: found.collection, version, position } : found;
  }
}
