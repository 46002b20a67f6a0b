import {
  AddField, AddFieldBody, CreateCollection, CreateCollectionBody, CreateRelation, CreateRelationBody, DeleteCollection, DeleteCollectionBody, DeleteField, DeleteFieldBody,
  DeleteRelation, DeleteRelationBody, GetCollection, ListCollections, ListCollectionsInput, ListRelations, ListRelationsInput, UpdateCollection, UpdateCollectionBody, UpdateField,
  UpdateFieldBody, type CollectionView,
} from '@app/content/contract';
import { skill, type CoreSkill, type Dispatch } from './core-skill';

const collectionNow = async (name: string, siteId: string, { ask }: Dispatch): Promise<CollectionView | null> => {
  const found = await ask(new GetCollection({ name }, { siteId }));
  return found.ok ? found.data : null;
};
const fieldNow = async ({ collection, field }: { readonly collection: string; readonly field: string }, siteId: string, dispatch: Dispatch) =>
  (await collectionNow(collection, siteId, dispatch))?.fields.find(({ name }) => name === field) ?? null;

/** Collections, their fields and their relations. */
export const schemaSkills: readonly CoreSkill[] = [
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
  skill('updateCollection', {
    description: 'Changes what people read about a collection.',
    input: UpdateCollectionBody, capability: 'schema:update', risk: 'write', idempotent: true,
    run: (input, { context }, { send }) => send(new UpdateCollection(input, context)),
    preview: async ({ name, description }, siteId, dispatch) => [{ path: `${name}.description`, before: (await collectionNow(name, siteId, dispatch))?.description ?? null, after: description }],
  }),
  skill('deleteCollection', {
    description: 'Deletes a collection and all its items, for ever.',
    input: DeleteCollectionBody, capability: 'schema:delete', risk: 'destructive',
    run: (input, { context }, { send }) => send(new DeleteCollection(input, context)),
    preview: async ({ name }, siteId, dispatch) => [{ path: name, before: (await collectionNow(name, siteId, dispatch))?.fields ?? null, after: null }],
  }),
  skill('createField', {
    description: 'Adds a field to a collection.',
    input: AddFieldBody, capability: 'schema:update', risk: 'write',
    run: (input, { context }, { send }) => send(new AddField(input, context)),
    preview: ({ collection, field }) => Promise.resolve([{ path: `${collection}.${field.name}`, before: null, after: field }]),
  }),
  skill('updateField', {
    description: 'Changes whether a field is required, and its constraints; values that are written from then on must fit.',
    input: UpdateFieldBody, capability: 'schema:update', risk: 'write', idempotent: true,
    run: (input, { context }, { send }) => send(new UpdateField(input, context)),
    preview: async (input, siteId, dispatch) => {
      const before = await fieldNow(input, siteId, dispatch);
      const { collection, field, ifMatch: _version, ...changes } = input;
      return [{ path: `${collection}.${field}`, before, after: { ...before, ...changes } }];
    },
  }),
  skill('deleteField', {
    description: 'Deletes a field of a collection with its values in all items, for ever.',
    input: DeleteFieldBody, capability: 'schema:delete', risk: 'destructive',
    run: (input, { context }, { send }) => send(new DeleteField(input, context)),
    preview: async (input, siteId, dispatch) => [{ path: `${input.collection}.${input.field}`, before: await fieldNow(input, siteId, dispatch), after: null }],
  }),
  skill('listRelations', {
    description: 'Lists the relations that a collection takes part in.',
    input: ListRelationsInput, capability: 'schema:read', risk: 'read', idempotent: true,
    run: (input, { context }, { ask }) => ask(new ListRelations(input, context)),
  }),
  skill('createRelation', {
    description: 'Makes the values of a text field ids of items of another collection.',
    input: CreateRelationBody, capability: 'schema:create', risk: 'create',
    run: (input, { context }, { send }) => send(new CreateRelation(input, context)),
    preview: ({ collection, ...relation }) => Promise.resolve([{ path: `${collection}.${relation.name}`, before: null, after: relation }]),
  }),
  skill('deleteRelation', {
    description: 'Deletes a relation; the values of its field stay as plain text.',
    input: DeleteRelationBody, capability: 'schema:delete', risk: 'destructive',
    run: (input, { context }, { send }) => send(new DeleteRelation(input, context)),
    preview: async ({ collection, name }, siteId, dispatch) => {
      const relations = (await collectionNow(collection, siteId, dispatch))?.relations ?? [];
      return [{ path: `${collection}.${name}`, before: relations.find((known) => known.from === collection && known.name === name) ?? null, after: null }];
    },
  }),
];
