import { unreachable, type Aggregate } from '@app/kernel';
import type { CollectionEvent } from './collection.events';
import type { Field } from './field.schema';
import type { Relation } from './relation.schema';

export type LiveCollection = {
  readonly status: 'live';
  readonly siteId: string;
  readonly name: string;
  readonly description: string | null;
  readonly fields: readonly Field[];
  /** Names that fields had which are gone. Items may still hold values under them, so they are taken for ever. */
  readonly removedFields: readonly string[];
  /** Those it holds the field of, and those that lead to it. */
  readonly relations: readonly Relation[];
  readonly createdAt: string;
  readonly updatedAt: string;
  /** Intents that look after it, paused ones among them. */
  readonly governedBy: readonly string[];
};
export type DeletedCollection = { readonly status: 'deleted'; readonly siteId: string; readonly name: string; readonly deletedAt: string };
export type Collection = { readonly status: 'none' } | LiveCollection | DeletedCollection;

/** The site is part of the stream's id: no site can reach, or block, a name of another site. */
export const collectionId = (siteId: string, name: string) => `${siteId}.${name}`;

export const sameRelation = (a: Pick<Relation, 'from' | 'name'>, b: Pick<Relation, 'from' | 'name'>) => a.from === b.from && a.name === b.name;

export const collection: Aggregate<Collection, CollectionEvent> = {
  category: 'collection',
  stateVersion: 3,
  initial: { status: 'none' },
  evolve: (state, event) => {
    if (event.type === 'CollectionCreated') {
      const { at, ...created } = event.data;
      return { status: 'live', ...created, description: null, removedFields: [], relations: [], createdAt: at, updatedAt: at, governedBy: [] };
    }
    return state.status === 'live' ? evolveLive(state, event) : state;
  },
};

const evolveLive = (state: LiveCollection, event: Exclude<CollectionEvent, { type: 'CollectionCreated' }>): Collection => {
  switch (event.type) {
    case 'CollectionChanged':
      return { ...state, description: event.data.description, updatedAt: event.data.at };
    case 'CollectionDeleted':
      return { status: 'deleted', siteId: state.siteId, name: state.name, deletedAt: event.data.at };
    case 'FieldAdded':
      return { ...state, fields: [...state.fields, event.data.field], updatedAt: event.data.at };
    case 'FieldChanged': {
      const { field, at } = event.data;
      return { ...state, fields: state.fields.map((known) => (known.name === field.name ? field : known)), updatedAt: at };
    }
    case 'FieldRemoved': {
      const { field: { name }, at } = event.data;
      return { ...state, fields: state.fields.filter((known) => known.name !== name), removedFields: [...state.removedFields, name], updatedAt: at };
    }
    case 'RelationAdded':
      return { ...state, relations: [...state.relations, event.data.relation], updatedAt: event.data.at };
    case 'RelationRemoved':
      return { ...state, relations: state.relations.filter((known) => !sameRelation(known, event.data.relation)), updatedAt: event.data.at };
    case 'CollectionGoverned':
      return { ...state, governedBy: [...state.governedBy, event.data.intentId] };
    case 'CollectionReleased':
      return { ...state, governedBy: state.governedBy.filter((intentId) => intentId !== event.data.intentId) };
    default:
      return unreachable(event);
  }
};
