import { Injectable } from '@nestjs/common';
import { Executor } from '@app/event-store';
import { accept, missing, type Context, type Decision, type Outcome } from '@app/kernel';
import { collection, collectionId, type Collection } from './collection.state';
import { Name } from './field.schema';
import { isItemId } from './item-id.policy';
import type { ItemEvent } from './item.events';
import { item, type Item } from './item.state';

type States = { readonly item: Item; readonly collection: Collection };
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

  async write(
    { collection: name, id }: Target,
    context: Context,
    decide: (states: States, version: number) => Decision<readonly ItemEvent[]>,
  ): Promise<Outcome<Written>> {
    if (!Name.safeParse(name).success || !isItemId(id)) return missing();
    const done = await this.executor.execute(
      { item: { aggregate: item, id }, collection: { aggregate: collection, id: collectionId(context.siteId, name), guard: true } },
      context,
      (states, versions) => {
        const decision = decide(states, versions.item);
        return decision.ok ? accept({ item: decision.events }) : decision;
      },
    );
    return done.ok ? { ok: true, data: { item: done.states.item, version: done.versions.item }, position: done.position } : done;
  }
}
