import type { Executed, Executor, StatesOf, StreamRef, VersionsOf } from '@app/event-store';
import { accept, reject, type Context, type Decision, type Rejected } from '@app/kernel';
import { collectionGone } from '../collection.policy';
import type { CollectionEvent } from '../collection.events';
import type { Collection } from '../collection.state';
import type { ItemEvent } from '../item.events';
import { item, type Item } from '../item.state';
import { referencedBy, referenceProblems } from './references.policy';

/** Streams of a change: its collection, its items, and whatever else it is decided on. */
// As in `StreamRefs`: states and events are invariant here.
// eslint-disable-next-line @typescript-eslint/no-explicit-any
export type ChangeRefs = Readonly<Record<string, StreamRef<any, any>>> & { readonly collection: StreamRef<Collection, CollectionEvent> };
export type ChangeEvents = Readonly<Record<string, readonly ItemEvent[]>>;
type Change<T extends ChangeRefs> = (states: StatesOf<T>, versions: VersionsOf<T>) => Decision<ChangeEvents>;

/** Items that a change refers to are found while it is decided, and then read; new ones turn up only while others change the items too. */
const MAX_ROUNDS = 5;
const keyOf = (id: string) => `reference ${id}`;

/**
 * Decides and appends a change of items, together with what it refers to: an item that is referred to is guarded, so that it is not deleted in between.
 * One whose deletion was announced is written instead: withdrawing that makes the deletion look again.
 */
export const executeGuarded = async <T extends ChangeRefs>(executor: Executor, refs: T, context: Context, decide: Change<T>): Promise<Executed<T> | Rejected> => {
  const own = new Map(Object.entries(refs).flatMap(([name, { aggregate, id }]) => (aggregate === item ? [[id, name] as const] : [])));
  const found = new Map<string, 'guarded' | 'written'>();
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const turned = new Map<string, 'guarded' | 'written'>();
    const references = Object.fromEntries([...found].map(([id, as]) => [keyOf(id), { aggregate: item, id, ...(as === 'guarded' && { guard: true as const }) }]));
    const done = await executor.execute({ ...refs, ...references } as ChangeRefs, context, (states, versions) => {
      turned.clear();
      const { collection } = states as { readonly collection: Collection };
      if (collection.status === 'deleted') return collectionGone(collection);
      const decision = decide(states as StatesOf<T>, versions as VersionsOf<T>);
      if (!decision.ok) return decision;
      const changes = Object.values(decision.events).flat();
      const itemOf = (id: string) => (states as Readonly<Record<string, Item>>)[own.get(id) ?? keyOf(id)];
      const referred = referencedBy(collection, changes).filter((id) => !own.has(id));
      for (const id of referred) if (found.get(id) !== wayOf(itemOf(id))) turned.set(id, wayOf(itemOf(id)));
      if (turned.size > 0) return unsettled();
      const problems = referenceProblems(collection, changes, itemOf);
      if (problems.length > 0) return reject('invalid', 'VALIDATION_FAILED', 'Not everything that is referred to is there.', { errors: problems });
      const withdrawn: ItemEvent = { type: 'DeletionWithdrawn', data: { at: context.now.toISOString() } };
      return accept({ ...decision.events, ...Object.fromEntries(referred.filter((id) => found.get(id) === 'written').map((id) => [keyOf(id), [withdrawn]])) });
    });
    if (done.ok || turned.size === 0) return done as unknown as Executed<T>;
    for (const [id, as] of turned) found.set(id, as);
  }
  return unsettled();
};

const wayOf = (referred: Item | undefined) => (referred?.status === 'live' && referred.deleting ? 'written' : 'guarded');

const unsettled = () => reject('conflict', 'CONFLICT', 'What is referred to kept changing; load it again and repeat the request.');
