import { unreachable, type Aggregate } from '@app/kernel';
import type { CollectionEvent } from './collection.events';
import type { Field } from './field.schema';

export type LiveCollection = {
  readonly status: 'live';
  readonly siteId: string;
  readonly name: string;
  readonly fields: readonly Field[];
  readonly createdAt: string;
  readonly updatedAt: string;
  /** Intents that look after it, paused ones among them. */
  readonly governedBy: readonly string[];
};
export type Collection = { readonly status: 'none' } | LiveCollection;

/** The site is part of the stream's id: no site can reach, or block, a name of another site. */
export const collectionId = (siteId: string, name: string) => `${siteId}.${name}`;

export const collection: Aggregate<Collection, CollectionEvent> = {
  category: 'collection',
  stateVersion: 2,
  initial: { status: 'none' },
  evolve: (state, event) => {
    if (event.type === 'CollectionCreated') {
      const { at, ...created } = event.data;
      return { status: 'live', ...created, createdAt: at, updatedAt: at, governedBy: [] };
    }
    if (state.status === 'none') return state;
    switch (event.type) {
      case 'FieldAdded':
        return { ...state, fields: [...state.fields, event.data.field], updatedAt: event.data.at };
      case 'CollectionGoverned':
        return { ...state, governedBy: [...state.governedBy, event.data.intentId] };
      case 'CollectionReleased':
        return { ...state, governedBy: state.governedBy.filter((intentId) => intentId !== event.data.intentId) };
      default:
        return unreachable(event);
    }
  },
};
