import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Executor, idFor, type StreamRef } from '@app/event-store';
import { accept, missing, type Context, type Outcome } from '@app/kernel';
import { collection, collectionId, type Collection } from '../collection.state';
import { Name } from '../field.schema';
import { withProvenance } from '../item-provenance/provenance.policy';
import { originOf } from '../item-provenance/run-origin';
import type { ItemEvent } from '../item.events';
import { item, type Item } from '../item.state';
import { re2Patterns } from '../re2-patterns';
import { executeGuarded, type ChangeRefs } from '../relations/guarded-references';
import { CreateItems, type CreatedItems, type CreateItemsBody } from './create-items.command';
import { decideCreateItems } from './create-items.decide';

@CommandHandler(CreateItems)
export class CreateItemsHandler implements ICommandHandler<CreateItems> {
  constructor(private readonly executor: Executor) {}

  async execute({ body, context }: CreateItems): Promise<Outcome<CreatedItems>> {
    const { collection: name } = body;
    if (!Name.safeParse(name).success) return missing();
    const provenance = { ...(await originOf(this.executor, context)), ...body.provenance };
    const ids = idsOf(body.items, context);
    const streams: Readonly<Record<string, StreamRef<Item, ItemEvent>>> = Object.fromEntries(ids.map((id, index) => [`item ${index}`, { aggregate: item, id, fresh: true as const }]));
    const schema = { aggregate: collection, id: collectionId(context.siteId, name), guard: true } as const;
    const done = await executeGuarded<ChangeRefs>(this.executor, { ...streams, collection: schema }, context, (states) => {
      const of = states as Readonly<Record<string, Item>> & { readonly collection: Collection };
      const decision = decideCreateItems(ids.map((_id, index) => of[`item ${index}`]!), of.collection, body, context, re2Patterns);
      return decision.ok ? accept(Object.fromEntries(decision.events.map((events, index) => [`item ${index}`, withProvenance(events, provenance)]))) : decision;
    });
    return done.ok ? { ok: true, data: { collection: name, created: ids.length, ids }, position: done.position } : done;
  }
}

/** A repeatable command makes the same items again, each with an id of its own. */
const idsOf = (rows: CreateItemsBody['items'], { commandId, repeatable = false }: Context): readonly string[] =>
  rows.map((_row, index) => idFor('item', { commandId: `${commandId}/${index}`, repeatable }));
