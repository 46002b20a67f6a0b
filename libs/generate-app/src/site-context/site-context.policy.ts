import type { Field, Relation } from '@app/content/contract';

export const OPERATIONS = { list: 'listItems', get: 'getItem', create: 'createItem', update: 'updateItem', delete: 'deleteItem' } as const;
export type Operation = keyof typeof OPERATIONS;

/** What the site's policies say about an operation on a collection. */
export type Ruling = { readonly operation: Operation; readonly effect: 'allow' | 'ask' | 'deny' | 'stage'; readonly rule: string };

export type KnownCollection = {
  readonly name: string;
  readonly description: string | null;
  readonly fields: readonly Field[];
  /** Names that fields had which are gone; they are never free again. */
  readonly removedFields: readonly string[];
  readonly relations: readonly Relation[];
};
export type SampleItem = { readonly id: string; readonly data: Readonly<Record<string, unknown>> };

/** What an app is made from, of one moment. The same context and the same wish give the same app. */
export type SiteContext = {
  /** By name. */
  readonly collections: readonly KnownCollection[];
  /** Names of collections that were deleted; they are never free again. */
  readonly gone: readonly string[];
  /** A few items of each collection that has any, by id. */
  readonly items: Readonly<Record<string, readonly SampleItem[]>>;
  readonly rulings: Readonly<Record<string, readonly Ruling[]>>;
  /** Names of the policies in force. */
  readonly policies: readonly string[];
  /** What is remembered for whoever asks, masked, by id. */
  readonly memories: readonly { readonly id: string; readonly content: string }[];
  readonly withheld: readonly string[];
};

export const collectionIn = ({ collections }: Pick<SiteContext, 'collections'>, name: string): KnownCollection | undefined => collections.find((each) => each.name === name);
export const rulingOn = ({ rulings }: Pick<SiteContext, 'rulings'>, collection: string, operation: Operation): Ruling | undefined =>
  (Object.hasOwn(rulings, collection) ? rulings[collection] : undefined)?.find((each) => each.operation === operation);
export const itemsOf = ({ items }: Pick<SiteContext, 'items'>, collection: string): readonly SampleItem[] => (Object.hasOwn(items, collection) ? items[collection]! : []);
