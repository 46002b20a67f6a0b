import type { CollectionView, DeletedItem, Field, ItemPins, ItemRevisionView, ItemView } from '@app/content/contract';
import { everyRow, type ListQuery } from './connection/pages';
import { path } from './connection/path';
import type { Answer, Page, ReadOptions, Transport, WriteOptions } from './connection/transport';

export type { Field };
export type Collection = CollectionView;
export type Item = ItemView;
export type Revision = ItemRevisionView;
/** The fields of an item that people keep from agents. */
export type Pins = ItemPins;

/** Field values by name, as the collection defines them. In a change, null takes an optional value away. */
export type ItemData = Readonly<Record<string, unknown>>;

/** `filter`: `{status: 'open', price: {gte: 5}}`. `sort`: a field of the collection, `id`, `createdAt` or `updatedAt`, with `-` for descending. */
export type ItemQuery = ListQuery & { readonly filter?: Readonly<Record<string, unknown>> | undefined; readonly sort?: string | undefined };

export class Collections {
  constructor(private readonly transport: Transport) {}

  create = (
    collection: { readonly name: string; readonly fields: readonly Field[] },
    options?: WriteOptions,
  ): Promise<Answer<Collection>> => this.transport.write('POST', '/collections', collection, options);

  list = (query: ListQuery = {}): Promise<Page<Collection>> => this.transport.page('/collections', { query });

  each = (query: ListQuery = {}): AsyncGenerator<Collection> => everyRow((cursor) => this.list({ ...query, cursor }));

  get = async (name: string, options?: ReadOptions): Promise<Collection> =>
    (await this.transport.read<Collection>(path`/collections/${name}`, options)).data;

  addField = (name: string, field: Field, options?: WriteOptions): Promise<Answer<Collection>> =>
    this.transport.write('POST', path`/collections/${name}/fields`, field, options);
}

/** The items of one collection. These calls are a person's or a service's own work; an agent's go through `run.call`. */
export class Items {
  constructor(
    private readonly transport: Transport,
    readonly collection: string,
  ) {}

  create = (data: ItemData, options?: WriteOptions): Promise<Answer<Item>> =>
    this.transport.write('POST', path`/items/${this.collection}`, { data }, options);

  list = ({ filter, ...query }: ItemQuery = {}): Promise<Page<Item>> =>
    this.transport.page(path`/items/${this.collection}`, { query: { ...query, filter: filter && JSON.stringify(filter) } });

  each = (query: ItemQuery = {}): AsyncGenerator<Item> => everyRow((cursor) => this.list({ ...query, cursor }));

  get = async (id: string, options?: ReadOptions): Promise<Item> =>
    (await this.transport.read<Item>(path`/items/${this.collection}/${id}`, options)).data;

  update = (id: string, data: ItemData, options?: WriteOptions): Promise<Answer<Item>> =>
    this.transport.write('PATCH', path`/items/${this.collection}/${id}`, { data }, options);

  delete = (id: string, options?: WriteOptions): Promise<Answer<DeletedItem>> =>
    this.transport.write('DELETE', path`/items/${this.collection}/${id}`, undefined, options);

  revisions = (id: string, query: ListQuery = {}): Promise<Page<Revision>> =>
    this.transport.page(path`/items/${this.collection}/${id}/revisions`, { query });

  pins = async (id: string, options?: ReadOptions): Promise<Pins> => (await this.transport.read<Pins>(path`/items/${this.collection}/${id}/pins`, options)).data;

  /** Keeps fields from every agent; answers all pins of the item. For people. */
  pin = (id: string, fields: readonly string[], options?: WriteOptions): Promise<Answer<Pins>> =>
    this.transport.write('POST', path`/items/${this.collection}/${id}/pins`, { fields }, options);

  /** Gives one field back to agents or, without a field, all of them; answers the pins that are left. For people. */
  release = (id: string, field?: string, options?: WriteOptions): Promise<Answer<Pins>> =>
    this.transport.write('DELETE', field === undefined ? path`/items/${this.collection}/${id}/pins` : path`/items/${this.collection}/${id}/pins/${field}`, undefined, options);
}
