import { Injectable } from '@nestjs/common';
import { Executor } from '@app/event-store';
import { accept, missing, type Context, type Decision, type Outcome } from '@app/kernel';
import type { CollectionEvent } from './collection.events';
import { collectionView, type CollectionView } from './collection-list/collection.view';
import { collection, collectionId, type Collection } from './collection.state';
import { Name } from './field.schema';

/** Runs a decision on one collection of the caller's site, and answers the collection as it then is. */
@Injectable()
export class CollectionWriter {
  constructor(private readonly executor: Executor) {}

  async write(
    name: string,
    context: Context,
    decide: (state: Collection, version: number) => Decision<readonly CollectionEvent[]>,
  ): Promise<Outcome<CollectionView>> {
    if (!Name.safeParse(name).success) return missing();
    const refs = { collection: { aggregate: collection, id: collectionId(context.siteId, name) } };
    const done = await this.executor.execute(refs, context, (states, versions) => {
      const decision = decide(states.collection, versions.collection);
      return decision.ok ? accept({ collection: decision.events }) : decision;
    });
    if (!done.ok) return done;
    const state = done.states.collection;
    return state.status === 'live'
      ? { ok: true, data: collectionView(state, done.versions.collection), position: done.position }
      : missing();
  }
}
