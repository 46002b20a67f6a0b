import {
  AddField, AddFieldBody, CreateCollection, CreateCollectionBody, CreateItem, CreateItemBody, DeleteItem, DeleteItemBody, GetItem, GetItemInput, InspectItem,
  ListCollections, ListCollectionsInput, ListItems, ListItemsInput, UpdateItem, UpdateItemBody,
} from '@app/content/contract';
import { idFor } from '@app/event-store';
import type { CallTarget, Change } from '@app/tool-calls/contract';
import { skill, type CoreSkill, type Dispatch } from './core-skill';
import { upkeepSkills } from './upkeep-skills';

const itemNow = async (collection: string, id: string, siteId: string, dispatch: Dispatch): Promise<Readonly<Record<string, unknown>>> => {
  const found = await dispatch.ask(new GetItem({ collection, id }, { siteId }));
  return found.ok ? found.data.data : {};
};

const changes = (before: Readonly<Record<string, unknown>>, after: Readonly<Record<string, unknown>>): readonly Change[] =>
  [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .map((path) => ({ path, before: before[path] ?? null, after: after[path] ?? null }))
    .filter((change) => JSON.stringify(change.before) !== JSON.stringify(change.after));

/** Fields a call names are fields it writes, whatever their value: a person's field is not even set to what it holds. A deletion writes all. */
const targetOf = async (
  { collection, id, data }: { readonly collection: string; readonly id: string; readonly data?: Readonly<Record<string, unknown>> },
  siteId: string,
  dispatch: Dispatch,
): Promise<CallTarget | null> => {
  const found = await dispatch.ask(new InspectItem({ collection, id }, { siteId }));
  if (!found.ok) return null;
  const { version, data: values, pinned } = found.data;
  const valueNow = (field: string) => (Object.hasOwn(values, field) ? values[field] : null);
  return {
    collection, itemId: id, version,
    pinnedFields: data === undefined ? pinned : pinned.filter((field) => Object.hasOwn(data, field)),
    patch: data === undefined ? null : { before: Object.fromEntries(Object.keys(data).map((field) => [field, valueNow(field)])), after: data },
  };
};

/** The skills every site starts with, in one list: the registry, the handlers and the reference are all made from it. */
export const coreSkills: readonly CoreSkill[] = [
  skill('listCollections', {
    description: 'Lists the collections of the site with their fields.',
    input: ListCollectionsInput, capability: 'schema:read', risk: 'read', idempotent: true,
    run: (input, { context, after }, { ask }) => ask(new ListCollections(input, context, after)),
  }),
  skill('createCollection', {
    description: 'Creates a collection with typed fields.',
    input: CreateCollectionBody, capability: 'schema:create', risk: 'create',
    run: (input, { context }, { send }) => send(new CreateCollection(input, context)),
    preview: (input) => Promise.resolve([{ path: input.name, before: null, after: input.fields }]),
  }),
  skill('createField', {
    description: 'Adds a field to a collection.',
    input: AddFieldBody, capability: 'schema:update', risk: 'write',
    run: (input, { context }, { send }) => send(new AddField(input, context)),
    preview: ({ collection, field }) => Promise.resolve([{ path: `${collection}.${field.name}`, before: null, after: field }]),
  }),
  skill('listItems', {
    description: 'Lists live items of a collection, filtered and sorted.',
    input: ListItemsInput, capability: 'items:read', risk: 'read', idempotent: true,
    run: (input, { context, after }, { ask }) => ask(new ListItems(input, context, after)),
  }),
  skill('getItem', {
    description: 'Reads one item.',
    input: GetItemInput, capability: 'items:read', risk: 'read', idempotent: true,
    run: (input, { context }, { ask }) => ask(new GetItem(input, context)),
  }),
  skill('createItem', {
    description: 'Creates an item in a collection.',
    input: CreateItemBody, capability: 'items:write', risk: 'create', idempotent: true,
    run: (input, { context }, { send }) => send(new CreateItem(input, context, idFor('item', context))),
    preview: ({ data }) => Promise.resolve(changes({}, data)),
  }),
  skill('updateItem', {
    description: 'Changes fields of one item; null takes an optional value away.',
    input: UpdateItemBody, capability: 'items:update', risk: 'write', idempotent: true, stageable: true,
    run: (input, { context }, { send }) => send(new UpdateItem(input, context)),
    target: targetOf,
    preview: async ({ collection, id, data }, siteId, dispatch) => {
      const before = await itemNow(collection, id, siteId, dispatch);
      return changes(Object.fromEntries(Object.keys(data).map((field) => [field, before[field]])), data);
    },
  }),
  skill('deleteItem', {
    description: 'Deletes one item; its revisions stay.',
    input: DeleteItemBody, capability: 'items:delete', risk: 'destructive', idempotent: true,
    run: (input, { context }, { send }) => send(new DeleteItem(input, context)),
    target: ({ collection, id }, siteId, dispatch) => targetOf({ collection, id }, siteId, dispatch),
    preview: async ({ collection, id }, siteId, dispatch) => changes(await itemNow(collection, id, siteId, dispatch), {}),
  }),
  ...upkeepSkills,
];
