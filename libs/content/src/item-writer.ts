import { Injectable } from '@nestjs/common';
import { Executor, type StatesOf, type StreamRef } from '@app/event-store';
import { governance, type Governance } from '@app/governance/contract';
import { accept, missing, type Context, type Decision, type Outcome } from '@app/kernel';
import type { CollectionEvent } from './collection.events';
import { collection, collectionId, type Collection } from './collection.state';
import { Name } from './field.schema';
import { isItemId } from './item-id.policy';
import type { ItemEvent } from './item.events';
import { item, type Item } from './item.state';

type States = { readonly item: Item; readonly collection: Collection };
/** With the site's rules, for decisions that depend on them. */
type GovernedStates = States & { readonly governance: Governance };
type Streams = { readonly item: StreamRef<Item, ItemEvent>; readonly collection: StreamRef<Collection, CollectionEvent> };
type Target = { readonly collection: string; readonly id: string };

/** An item as a command left it. */
export type Written = { readonly item: Item; readonly version: number };

/**
 * Runs a decision on one item. The collection is guarded: the append is refused when a field came in between the check and the write, and the
 * decision is taken again.
 */
@Injectable()
export class ItemWriter {
  constructor(private readonly executor: Executor) {}

  write(target: Target, context: Context, decide: (states: States, version: number) => Decision<readonly ItemEvent[]>): Promise<Outcome<Written>> {
    return this.run(target, context, this.streams(target, context), decide);
  }

  /** Like `write`, and the append is refused as well when the site's rules changed in between: which intents are active is one of them. */
  writeGoverned(target: Target, context: Context, decide: (states: GovernedStates, version: number) => Decision<readonly ItemEvent[]>): Promise<Outcome<Written>> {
    return this.run(target, context, { ...this.streams(target, context), governance: { aggregate: governance, id: context.siteId, guard: true } as const }, decide);
  }

  private streams = ({ collection: name, id }: Target, { siteId }: Context): Streams => ({
    item: { aggregate: item, id },
    collection: { aggregate: collection, id: collectionId(siteId, name), guard: true },
  });

  private async run<T extends Streams>({ collection: name, id }: Target, context: Context, refs: T, decide: (states: StatesOf<T>, version: number) => Decision<readonly ItemEvent[]>): Promise<Outcome<Written>> {
    if (!Name.safeParse(name).success || !isItemId(id)) return missing();
    const done = await this.executor.execute<Streams>(refs, context, (states, versions) => {
      const decision = decide(states as StatesOf<T>, versions.item);
      return decision.ok ? accept({ item: decision.events }) : decision;
    });
    return done.ok ? { ok: true, data: { item: done.states.item, version: done.versions.item }, position: done.position } : done;
  }
}
