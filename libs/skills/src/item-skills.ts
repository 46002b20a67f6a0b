import {
  CreateItem, CreateItemBody, CreateItems, CreateItemsBody, DeleteItem, DeleteItemBody, GetItem, GetItemInput, ListItems, ListItemsInput, RestoreRevision, RestoreRevisionBody, UpdateItem, UpdateItemBody,
} from '@app/content/contract';
import { idFor } from '@app/event-store';
import { skill, type CoreSkill } from './core-skill';
import { changesBetween, placeOf, targetOf, valuesNow } from './item-target';

/** Of a batch; a person judges it by a sample. */
const MOST_PREVIEWED = 200;

/** Items of a collection. */
export const itemSkills: readonly CoreSkill[] = [
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
    preview: ({ data }) => Promise.resolve(changesBetween({}, data)),
  }),
  skill('createItems', {
    description: 'Creates many items of one collection at once: all of them, or none and why. Each counts as a write.',
    input: CreateItemsBody, capability: 'items:write', risk: 'create', idempotent: true,
    run: (input, { context }, { send }) => send(new CreateItems(input, context)),
    preview: ({ items }) => Promise.resolve(items.flatMap((values, index) => changesBetween({}, values).map((change) => ({ ...change, path: `items/${index}/${change.path}` }))).slice(0, MOST_PREVIEWED)),
    writes: ({ items }) => items.length,
  }),
  skill('updateItem', {
    description: 'Changes fields of one item; null takes an optional value away.',
    input: UpdateItemBody, capability: 'items:update', risk: 'write', idempotent: true, stageable: true,
    run: (input, { context }, { send }) => send(new UpdateItem(input, context)),
    target: targetOf,
    preview: async ({ data, ...place }, siteId, dispatch) => {
      const before = await valuesNow(place, siteId, dispatch);
      return changesBetween(Object.fromEntries(Object.keys(data).map((field) => [field, before[field]])), data);
    },
  }),
  skill('deleteItem', {
    description: 'Deletes one item; its revisions stay.',
    input: DeleteItemBody, capability: 'items:delete', risk: 'destructive', idempotent: true,
    run: (input, { context }, { send }) => send(new DeleteItem(input, context)),
    target: ({ collection, id }, siteId, dispatch) => targetOf({ collection, id }, siteId, dispatch),
    preview: async (place, siteId, dispatch) => changesBetween(await valuesNow(place, siteId, dispatch), {}),
  }),
  skill('restoreRevision', {
    description: 'Gives one item the values it had at a revision, as a new revision.',
    input: RestoreRevisionBody, capability: 'items:write', risk: 'write', idempotent: true,
    run: (input, { context }, { send }) => send(new RestoreRevision(input, context)),
    target: placeOf,
  }),
];
