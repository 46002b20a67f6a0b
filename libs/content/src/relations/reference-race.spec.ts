import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Executor, InMemoryEventStore, States, type AppendResult, type Guard, type StreamWrite } from '@app/event-store';
import { Catalogue, type Context } from '@app/kernel';
import { ada, context } from '@app/kernel/testing';
import { InMemoryReadModels, type AnyProjection } from '@app/projections';
import { CollectionReader } from '../collection-reader';
import { collectionEvents, type CollectionEvent } from '../collection.events';
import { AT } from '../content.examples';
import { CreateItem } from '../create-item/create-item.command';
import { CreateItemHandler } from '../create-item/create-item.handler';
import { CreateItems } from '../create-items/create-items.command';
import { CreateItemsHandler } from '../create-items/create-items.handler';
import { DeleteItem } from '../delete-item/delete-item.command';
import { DeleteItemHandler } from '../delete-item/delete-item.handler';
import { itemEvents, type ItemEvent } from '../item.events';
import { items } from '../item-list/items.projection';
import { ItemWriter } from '../item-writer';
import { UpdateItem } from '../update-item/update-item.command';
import { UpdateItemHandler } from '../update-item/update-item.handler';
import { Referrers } from './referrers';

const idOf = (n: number) => `item_0190f5b2c0de7abc8def${String(n).padStart(12, '0')}`;
const AUTHOR = idOf(1);
const BOOK = idOf(2);
const by = { name: 'by', from: 'books', field: 'author', to: 'authors' } as const;
const collectionOf = (name: string): readonly CollectionEvent[] => [
  { type: 'CollectionCreated', data: { siteId: 'site_a', name, fields: [{ name: 'title', type: 'text' }, { name: 'author', type: 'text' }], at: AT } }, { type: 'RelationAdded', data: { relation: by, at: AT } },
];
const created = (collection: string): ItemEvent => ({ type: 'ItemCreated', data: { siteId: 'site_a', collection, data: { title: 'x' }, at: AT } });

/** Lets others go first for a while between a decision and its append. */
class SlowStore extends InMemoryEventStore {
  turns: Iterator<number> = [].values();

  override async append(writes: readonly StreamWrite[], guards: readonly Guard[], appending: Context): Promise<AppendResult> {
    for (let turn = this.turns.next().value ?? 0; turn > 0; turn--) await Promise.resolve();
    return super.append(writes, guards, appending);
  }
}

/** Follows the log on the spot, so that a look is never older than the log; what comes between the look and the append is what is tried here. */
const readsOf = (store: SlowStore) => {
  const reads = new InMemoryReadModels([items] as unknown as readonly AnyProjection[]);
  let at = 0n;
  const list = reads.list.bind(reads);
  reads.list = async (...asked) => {
    for await (const page of store.readAll(at)) {
      reads.apply(page);
      at = page.at(-1)?.position ?? at;
    }
    return list(...asked);
  };
  reads.reached = () => Promise.resolve();
  return reads;
};

let commands = 0;
const now = (): Context => context({ actor: ada, commandId: `c${commands++}` });
const processOn = (store: SlowStore) => {
  const executor = new Executor(store, new States(store));
  const writer = new ItemWriter(executor);
  const deletion = new DeleteItemHandler(writer, new CollectionReader(executor), new Referrers(store, readsOf(store)));
  return {
    delete: (ifMatch?: number) => deletion.execute(new DeleteItem({ collection: 'authors', id: AUTHOR, ifMatch }, now())),
    create: () => new CreateItemHandler(writer).execute(new CreateItem({ collection: 'books', data: { title: 'New', author: AUTHOR } }, now())),
    createMany: () => new CreateItemsHandler(executor).execute(new CreateItems({ collection: 'books', items: [{ title: 'One' }, { title: 'Two', author: AUTHOR }] }, now())),
    update: () => new UpdateItemHandler(writer).execute(new UpdateItem({ collection: 'books', id: BOOK, data: { author: AUTHOR } }, now())),
    rename: () => new UpdateItemHandler(writer).execute(new UpdateItem({ collection: 'authors', id: AUTHOR, data: { title: `y${commands}` } }, now())),
    clear: () => new UpdateItemHandler(writer).execute(new UpdateItem({ collection: 'books', id: BOOK, data: { author: null } }, now())),
  };
};

const world = async () => {
  const store = new SlowStore({ catalogue: new Catalogue(collectionEvents, itemEvents) });
  const write = (streamId: string, events: readonly (CollectionEvent | ItemEvent)[]) => store.append([{ streamId, expected: 'none', events }], [], now());
  for (const name of ['authors', 'books']) await write(`collection-site_a.${name}`, collectionOf(name));
  await write(`item-${AUTHOR}`, [created('authors')]);
  await write(`item-${BOOK}`, [created('books')]);
  return store;
};

/** Walks through the log and tells whether there was a live reference to the author when it was deleted, or one came after that. */
const dangling = async (store: SlowStore): Promise<boolean> => {
  const referring = new Set<string>();
  let deleted = false;
  for await (const page of store.readAll(0n)) {
    for (const { streamId, type, data } of page as unknown as readonly { streamId: string; type: string; data: { data?: Record<string, unknown>; patch?: Record<string, unknown> } }[]) {
      const { author } = data.data ?? data.patch ?? {};
      if (author === AUTHOR) referring.add(streamId);
      if (author === null) referring.delete(streamId);
      if (type === 'ItemDeleted' && streamId === `item-${AUTHOR}`) deleted = true;
      if (deleted && referring.size > 0) return true;
    }
  }
  return false;
};

describe('A reference and the deletion of the item that it leads to', () => {
  it('never leave the one without the other, whatever comes in between, in any of three processes', async () => {
    const seen = { deleted: 0, kept: 0, withdrawn: 0 };
    const act = fc.record({ does: fc.constantFrom('delete', 'delete', 'create', 'createMany', 'update', 'rename', 'clear'), process: fc.nat(2) });
    await fc.assert(
      fc.asyncProperty(fc.array(act, { minLength: 2, maxLength: 7 }), fc.array(fc.nat(30), { maxLength: 24 }), async (acts, turns) => {
        const store = await world();
        const processes = [processOn(store), processOn(store), processOn(store)] as const;
        store.turns = turns.values();
        const answers = await Promise.all(acts.map(async ({ does, process }) => ({ does, answer: await processes[process]![does]() })));
        expect(await dangling(store)).toBe(false);
        for (const { answer } of answers) if (!answer.ok) expect(['CONFLICT', 'GONE', 'VALIDATION_FAILED']).toContain(answer.rejection.code);
        const types: string[] = [];
        for await (const event of store.read(`item-${AUTHOR}`)) types.push(event.type);
        seen[types.includes('ItemDeleted') ? 'deleted' : 'kept']++;
        if (types.includes('DeletionWithdrawn')) seen.withdrawn++;
        // Nothing is left announced: a deletion either happened or was taken back, by itself or by who refers to the item.
        if (!types.includes('ItemDeleted')) expect(types.filter((type) => type === 'DeletionWithdrawn').length).toBe(types.filter((type) => type === 'DeletionAnnounced').length);
      }),
      { numRuns: 300 },
    );
    // Both ends come about, and so does the meeting half-way; otherwise nothing was tried.
    expect(Math.min(seen.deleted, seen.kept, seen.withdrawn)).toBeGreaterThan(10);
  });

  it('goes on after a process that died half-way through a deletion: who refers to the item withdraws it, and a repeat completes it', async () => {
    const store = await world();
    const [one, other] = [processOn(store), processOn(store)];
    await store.append([{ streamId: `item-${AUTHOR}`, expected: 1, events: [{ type: 'DeletionAnnounced', data: { at: AT } }] }], [], now());
    expect((await one.update()).ok).toBe(true);
    expect(await other.delete()).toMatchObject({ ok: false, rejection: { code: 'CONFLICT', facts: { referencedBy: [{ collection: 'books', field: 'author', id: BOOK }] } } });
    expect((await other.clear()).ok).toBe(true);
    await store.append([{ streamId: `item-${AUTHOR}`, expected: 3, events: [{ type: 'DeletionAnnounced', data: { at: AT } }] }], [], now());
    expect((await other.delete()).ok).toBe(true);
    expect(await one.update()).toMatchObject({ ok: false, rejection: { code: 'VALIDATION_FAILED' } });
  });

  it('minds the version that whoever deletes has seen, although the announcement is one more', async () => {
    const store = await world();
    const [one] = [processOn(store)];
    expect(await one.delete(3)).toMatchObject({ ok: false, rejection: { code: 'CONFLICT', facts: { version: 1 } } });
    expect((await one.delete(1)).ok).toBe(true);
  });

  it('answers a repeated deletion as the first time', async () => {
    const store = await world();
    const executor = new Executor(store, new States(store));
    const deletion = new DeleteItemHandler(new ItemWriter(executor), new CollectionReader(executor), new Referrers(store, readsOf(store)));
    const repeatable = { ...now(), repeatable: true };
    const command = new DeleteItem({ collection: 'authors', id: AUTHOR }, repeatable);
    const first = await deletion.execute(command);
    expect(first).toMatchObject({ ok: true, data: { id: AUTHOR, deleted: true } });
    expect(await deletion.execute(command)).toEqual(first);
    expect(await deletion.execute(new DeleteItem({ collection: 'authors', id: AUTHOR }, now()))).toMatchObject({ ok: false, rejection: { code: 'GONE' } });
  });
});
