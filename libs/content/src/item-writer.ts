import { Injectable } from '@nestjs/common';
import { Executor, type StatesOf, type StreamRef } from '@app/event-store';
import { governance, type Governance } from '@app/governance/contract';
import { accept, missing, type Context, type Decision, type Outcome } from '@app/kernel';
import type { CollectionEvent } from './collection.events';
import { collection, collectionId, type Collection } from './collection.state';
import { Name } from './field.schema';
import { isItemId } from './item-id.policy';
import type { ItemEvent, Provenance } from './item.events';
import { withKnownFields } from './item.policy';
import { item, type Item } from './item.state';
import { isPersonsOwn } from './pin.policy';
import { originOf } from './item-provenance/run-origin';
import { withProvenance } from './item-provenance/provenance.policy';
import { executeGuarded } from './relations/guarded-references';
import { pinsOfEdit } from './update-item/pins-of-edit.policy';

type States = { readonly item: Item; readonly collection: Collection };
/** With the site's rules, for decisions that depend on them. */
type GovernedStates = States & { readonly governance: Governance };
type Streams = { readonly item: StreamRef<Item, ItemEvent>; readonly collection: StreamRef<Collection, CollectionEvent> };
type Target = { readonly collection: string; readonly id: string };
type Decide<S> = (states: S, version: number) => Decision<readonly ItemEvent[]>;

/** An item as a command left it. */
export type Written = { readonly item: Item; readonly version: number };

/**
 * Runs a decision on one item. The collection is guarded: the append is refused when a field came in between the check and the write, and the
 * decision is taken again. So are the items that it refers to.
 */
@Injectable()
export class ItemWriter {
  constructor(private readonly executor: Executor) {}

  write(target: Target, context: Context, decide: Decide<States>, given: Provenance = {}): Promise<Outcome<Written>> {
    return this.run(target, context, this.streams(target, context), decide, given);
  }

  /**
   * A change of an item's values. A person's edit and the pins that come with it are one append, so no agent can write in between; it is refused
   * as well when the site's rules changed meanwhile: which intents are active is one of them.
   */
  change(target: Target, context: Context, decide: Decide<States>, given: Provenance = {}): Promise<Outcome<Written>> {
    if (!isPersonsOwn(context)) return this.write(target, context, decide, given);
    const streams = { ...this.streams(target, context), governance: { aggregate: governance, id: context.siteId, guard: true } as const };
    const edit: Decide<GovernedStates> = (states, version) => {
      const decision = decide(states, version);
      return decision.ok ? accept([...decision.events, ...pinsOfEdit(states, version, decision.events, context)]) : decision;
    };
    return this.run(target, context, streams, edit, given);
  }

  private streams = ({ collection: name, id }: Target, { siteId }: Context): Streams => ({
    item: { aggregate: item, id },
    collection: { aggregate: collection, id: collectionId(siteId, name), guard: true },
  });

  private async run<T extends Streams>({ collection: name, id }: Target, context: Context, refs: T, decide: Decide<StatesOf<T>>, given: Provenance): Promise<Outcome<Written>> {
    if (!Name.safeParse(name).success || !isItemId(id)) return missing();
    const provenance = { ...(await originOf(this.executor, context)), ...given };
    const done = await executeGuarded(this.executor, refs, context, (states, versions) => {
      const decision = decide(states, versions.item);
      return decision.ok ? accept({ item: withProvenance(decision.events, provenance) }) : decision;
    });
    if (!done.ok) return done;
    return { ok: true, data: { item: withKnownFields(done.states.item, done.states.collection), version: done.versions.item }, position: done.position };
  }
}
