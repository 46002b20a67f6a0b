import type {
  CollectionView, Constraints, DeletedItem, ExplainEditBody, ExplainedEdit, Field, GoneCollection, GoneRelation, GoneVersion, ImportedItems, ItemPins, ItemRevisionView, ItemVersionView,
  ItemView, Relation, VersionComparison, WrittenVersionView,
} from '@app/content/contract';
import { follow } from './connection/follow';
import { allLines } from './connection/json-lines';
import { parsed } from './connection/message';
import { everyRow, type ListQuery } from './connection/pages';
import { path } from './connection/path';
import type { Answer, LinesBody, Page, ReadOptions, Transport, WriteOptions } from './connection/transport';

export type { Field };
export type Collection = CollectionView;
export type Item = ItemView;
export type Revision = ItemRevisionView;
/** The fields of an item that people keep from agents. */
export type Pins = ItemPins;
/** Changes of an item under a name, not live yet. */
export type Version = ItemVersionView;
export type { Relation, VersionComparison };

export type FieldSettings = { readonly required?: boolean | undefined; /** All of them anew; null takes them away. */ readonly constraints?: Constraints | null | undefined };
/** Items of the collection have changed and can be read at this position; the first of a stream says where they are now, with no changes. */
export type Refresh = { readonly collection: string; readonly changes: number; readonly position: string };
export type ExportQuery = { readonly filter?: Readonly<Record<string, unknown>> | undefined; readonly minPosition?: string | undefined; readonly signal?: AbortSignal | undefined };

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

  /** What people read about the collection; null takes it away. */
  describe = (name: string, description: string | null, options?: WriteOptions): Promise<Answer<Collection>> =>
    this.transport.write('PATCH', path`/collections/${name}`, { description }, options);

  /** The collection and its items, for ever. */
  delete = (name: string, options?: WriteOptions): Promise<Answer<GoneCollection>> => this.transport.write('DELETE', path`/collections/${name}`, undefined, options);

  changeField = (name: string, field: string, settings: FieldSettings, options?: WriteOptions): Promise<Answer<Collection>> =>
    this.transport.write('PATCH', path`/collections/${name}/fields/${field}`, settings, options);

  deleteField = (name: string, field: string, options?: WriteOptions): Promise<Answer<Collection>> =>
    this.transport.write('DELETE', path`/collections/${name}/fields/${field}`, undefined, options);

  /** Those it takes part in, on either side. */
  relations = async (name: string, options?: ReadOptions): Promise<readonly Relation[]> =>
    (await this.transport.read<readonly Relation[]>(path`/collections/${name}/relations`, options)).data;

  /** Makes the values of a text field ids of items of another collection. */
  relate = (name: string, relation: Pick<Relation, 'name' | 'field' | 'to'>, options?: WriteOptions): Promise<Answer<Relation>> =>
    this.transport.write('POST', path`/collections/${name}/relations`, relation, options);

  deleteRelation = (name: string, relation: string, options?: WriteOptions): Promise<Answer<GoneRelation>> =>
    this.transport.write('DELETE', path`/collections/${name}/relations/${relation}`, undefined, options);
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

  /** Gives the item the values it had at a revision, as a new one. */
  restore = (id: string, revision: number, options?: WriteOptions): Promise<Answer<Item>> =>
    this.transport.write('POST', path`/items/${this.collection}/${id}/revisions/${String(revision)}/restore`, undefined, options);

  versions = async (id: string, options?: ReadOptions): Promise<readonly Version[]> =>
    (await this.transport.read<readonly Version[]>(path`/items/${this.collection}/${id}/versions`, options)).data;

  createVersion = (id: string, name: string, data: ItemData = {}, options?: WriteOptions): Promise<Answer<WrittenVersionView>> =>
    this.transport.write('POST', path`/items/${this.collection}/${id}/versions`, { name, data }, options);

  updateVersion = (id: string, name: string, data: ItemData, options?: WriteOptions): Promise<Answer<WrittenVersionView>> =>
    this.transport.write('PATCH', path`/items/${this.collection}/${id}/versions/${name}`, { data }, options);

  /** What promoting it would change now. */
  compareVersion = async (id: string, name: string, options?: ReadOptions): Promise<VersionComparison> =>
    (await this.transport.read<VersionComparison>(path`/items/${this.collection}/${id}/versions/${name}/compare`, options)).data;

  /** Makes it live, in one revision. */
  promoteVersion = (id: string, name: string, options?: WriteOptions): Promise<Answer<Item>> =>
    this.transport.write('POST', path`/items/${this.collection}/${id}/versions/${name}/promote`, undefined, options);

  deleteVersion = (id: string, name: string, options?: WriteOptions): Promise<Answer<GoneVersion>> =>
    this.transport.write('DELETE', path`/items/${this.collection}/${id}/versions/${name}`, undefined, options);

  /** Every live item, oldest first, as it arrives. */
  export = ({ filter, ...options }: ExportQuery = {}): AsyncGenerator<Item> =>
    allLines<Item>(this.transport, path`/items/${this.collection}/export`, { ...options, query: { filter: filter && JSON.stringify(filter) } });

  /** JSON lines, `{"data": {…}}` or lines of an export. All are created, or none when one does not fit. Not safe to repeat. */
  import = (lines: LinesBody, options: { readonly encoding?: 'gzip' | undefined; readonly signal?: AbortSignal | undefined } = {}): Promise<Answer<ImportedItems>> =>
    this.transport.sendLines(path`/items/${this.collection}/import`, lines, options);

  /** Tells when the collection is to be read again. However many changes there were while the caller was busy, it hears of them once. */
  async *changes(signal?: AbortSignal): AsyncGenerator<Refresh> {
    for await (const message of follow(this.transport, path`/items/${this.collection}/changes`, { signal }))
      yield { ...parsed<Pick<Refresh, 'collection' | 'changes'>>(message), position: message.id ?? '0' };
  }

  pins = async (id: string, options?: ReadOptions): Promise<Pins> => (await this.transport.read<Pins>(path`/items/${this.collection}/${id}/pins`, options)).data;

  /** Keeps fields from every agent; answers all pins of the item. For people. */
  pin = (id: string, fields: readonly string[], options?: WriteOptions): Promise<Answer<Pins>> =>
    this.transport.write('POST', path`/items/${this.collection}/${id}/pins`, { fields }, options);

  /** Says of an edit that pinned fields whether it was a one-off exception or a new rule. For people. */
  explain = (id: string, explanation: ExplainEditBody, options?: WriteOptions): Promise<Answer<ExplainedEdit>> =>
    this.transport.write('POST', path`/items/${this.collection}/${id}/pins/answer`, explanation, options);

  /** Gives one field back to agents or, without a field, all of them; answers the pins that are left. For people. */
  release = (id: string, field?: string, options?: WriteOptions): Promise<Answer<Pins>> =>
    this.transport.write('DELETE', field === undefined ? path`/items/${this.collection}/${id}/pins` : path`/items/${this.collection}/${id}/pins/${field}`, undefined, options);
}
