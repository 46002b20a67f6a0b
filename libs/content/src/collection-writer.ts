import { Injectable } from '@nestjs/common';
import { Executor } from '@app/event-store';
import { accept, missing, type Context, type Decision, type Outcome } from '@app/kernel';
import type { CollectionEvent } from './collection.events';
import { liveCollection } from './collection.policy';
import { collectionView, type CollectionView } from './collection-list/collection.view';
import { collection, collectionId, type Collection } from './collection.state';
import { Name } from './field.schema';

type Decide = (state: Collection, version: number) => Decision<readonly CollectionEvent[]>;
type Changed = { readonly state: Collection; readonly version: number };

/** Runs a decision on one collection of the caller's site. */
@Injectable()
export class CollectionWriter {
  constructor(private readonly executor: Executor) {}

  /** Answers the collection as it then is. */
  async write(name: string, context: Context, decide: Decide): Promise<Outcome<CollectionView>> {
    const done = await this.change(name, context, decide);
    if (!done.ok) return done;
    const { state, version } = done.data;
    const found = liveCollection(state, version);
    return found.ok ? { ok: true, data: collectionView(found.collection, version), position: done.position } : found;
  }

  /** For decisions that may leave no collection behind. */
  async change(name: string, context: Context, decide: Decide): Promise<Outcome<Changed>> {
    if (!Name.safeParse(name).success) return missing();
    const refs = { collection: { aggregate: collection, id: collectionId(context.siteId, name) } };
    const done = await this.executor.execute(refs, context, (states, versions) => {
      const decision = decide(states.collection, versions.collection);
      return decision.ok ? accept({ collection: decision.events }) : decision;
    });
    return done.ok ? { ok: true, data: { state: done.states.collection, version: done.versions.collection }, position: done.position } : done;
  }
}
