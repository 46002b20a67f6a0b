import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Executor, InMemoryEventStore, States } from '@app/event-store';
import { Catalogue, type Recorded } from '@app/kernel';
import { context } from '@app/kernel/testing';
import { InMemoryReadModels } from '@app/projections';
import { project } from '@app/projections/contract';
import { contentEvents } from '.';
import { CollectionReader } from './collection-reader';
import { CollectionWriter } from './collection-writer';
import { CreateCollection } from './create-collection/create-collection.command';
import { CreateCollectionHandler } from './create-collection/create-collection.handler';
import { CreateItem } from './create-item/create-item.command';
import { CreateItemHandler } from './create-item/create-item.handler';
import { DeleteItem } from './delete-item/delete-item.command';
import { DeleteItemHandler } from './delete-item/delete-item.handler';
import { GetItemHandler } from './get-item/get-item.handler';
import { GetItem } from './get-item/get-item.query';
import { items, type ItemRow } from './item-list/items.projection';
import { itemView } from './item-list/item.view';
import type { ItemEvent } from './item.events';
import { item } from './item.state';
import { ItemWriter } from './item-writer';
import { Referrers } from './relations/referrers';
import { UpdateItem } from './update-item/update-item.command';
import { UpdateItemHandler } from './update-item/update-item.handler';

const collection = 'things';
const fields = [
  { name: 'a', type: 'text' as const },
  { name: 'constructor', type: 'integer' as const },
  { name: 'c', type: 'json' as const },
  { name: 'd', type: 'boolean' as const },
];
/** Mostly values that fit, with some that do not: a refused change must leave no trace either. */
const anyData = fc.record(
  {
    a: fc.option(fc.string({ maxLength: 3 })),
    constructor: fc.option(fc.oneof({ weight: 9, arbitrary: fc.integer() }, fc.double())),
    c: fc.option(fc.jsonValue({ maxDepth: 2 })),
    d: fc.option(fc.boolean()),
  },
  { requiredKeys: [] },
);
const anyStep = fc.oneof(
  { weight: 12, arbitrary: fc.record({ change: anyData, ifMatch: fc.option(fc.nat({ max: 5 }), { nil: undefined, freq: 8 }) }) },
  { weight: 1, arbitrary: fc.constant('delete' as const) },
);

const running = async () => {
  const store = new InMemoryEventStore({ catalogue: new Catalogue(...contentEvents) });
  const executor = new Executor(store, new States(store));
  const reads = new InMemoryReadModels([]);
  const items = new ItemWriter(executor);
  await new CreateCollectionHandler(new CollectionWriter(executor)).execute(new CreateCollection({ name: collection, fields }, context()));
  return {
    store,
    create: new CreateItemHandler(items),
    update: new UpdateItemHandler(items),
    remove: new DeleteItemHandler(items, new CollectionReader(executor), new Referrers(store, reads)),
    get: new GetItemHandler(executor, reads),
  };
};

const eventsOf = async (store: InMemoryEventStore, id: string) => {
  const events: Recorded<ItemEvent>[] = [];
  for await (const event of store.read(`item-${id}`)) events.push(event as unknown as Recorded<ItemEvent>);
  return events;
};

describe('A live item', () => {
  it('[CONTENT-007] equals the fold of its event stream, whatever was done to it', async () => {
    await fc.assert(
      fc.asyncProperty(anyData, fc.array(anyStep, { maxLength: 12 }), async (first, steps) => {
        const { store, create, update, remove, get } = await running();
        const made = await create.execute(new CreateItem({ collection, data: first }, context()));
        if (!made.ok) return;
        const { id } = made.data;
        let number = 0;
        for (const step of steps) {
          const at = context({ commandId: `step-${number++}`, now: new Date(Date.UTC(2030, 0, 1, 12, number)) });
          if (step === 'delete') await remove.execute(new DeleteItem({ collection, id }, at));
          else await update.execute(new UpdateItem({ collection, id, data: step.change, ifMatch: step.ifMatch }, at));

          const events = await eventsOf(store, id);
          const folded = events.reduce(item.evolve, item.initial);
          const row = events.reduce<ItemRow | null>((before, event) => project(items, before, event, id), null);
          const live = await get.execute(new GetItem({ collection, id }, at));
          if (folded.status === 'live') {
            expect(live).toMatchObject({ ok: true, data: itemView(id, folded, events.length) });
            expect(row).toEqual({ siteId: 'site_a', ...itemView(id, folded, events.length) });
          } else {
            expect(live).toMatchObject({ ok: false, rejection: { code: 'GONE' } });
            expect(row).toBeNull();
          }
        }
      }),
      { numRuns: 100 },
    );
  });

  it('keeps every one of many changes that race for it', async () => {
    const { create, update, get } = await running();
    const made = await create.execute(new CreateItem({ collection, data: {} }, context()));
    if (!made.ok) throw new Error(made.rejection.detail);
    const { id } = made.data;
    const racing = ['a', 'constructor', 'c', 'd'].map((field, index) => ({ [field]: [`x`, 1, { y: 2 }, true][index] }));
    await Promise.all(
      racing.map((data, index) => update.execute(new UpdateItem({ collection, id, data }, context({ commandId: `race-${index}` })))),
    );
    expect(await get.execute(new GetItem({ collection, id }, context()))).toMatchObject({
      ok: true,
      data: { version: 5, data: { a: 'x', constructor: 1, c: { y: 2 }, d: true } },
    });
  });

  it('is made once by a command that is sent twice', async () => {
    const { create } = await running();
    const repeatable = context({ commandId: '0190f5b2-c0de-7abc-8def-0123456789ab', repeatable: true });
    const [first, second] = [
      await create.execute(new CreateItem({ collection, data: {} }, repeatable)),
      await create.execute(new CreateItem({ collection, data: {} }, repeatable)),
    ];
    expect(first).toMatchObject({ ok: true });
    expect(second).toEqual(first);
  });
});
