import { projection, type Row } from '@app/projections/contract';
import type { CollectionEvent } from '../collection.events';
import { sameRelation } from '../collection.state';
import type { CollectionView } from './collection.view';

export type CollectionRow = Row & CollectionView;

/** Every collection of a site with its fields. */
export const collections = projection<CollectionRow, CollectionEvent>({
  name: 'collections',
  version: 2,
  columns: { name: 'text', description: 'text', fields: 'jsonb', relations: 'jsonb', version: 'integer', createdAt: 'text', updatedAt: 'text' },
  indexes: [['name']],
  on: {
    CollectionCreated: (_row, { siteId, version, data: { name, fields, at } }, id) => ({
      id,
      siteId,
      name,
      description: null,
      fields,
      relations: [],
      version,
      createdAt: at,
      updatedAt: at,
    }),
    CollectionGoverned: (row, { version }) => row && { ...row, version },
    CollectionReleased: (row, { version }) => row && { ...row, version },
    CollectionChanged: (row, { version, data: { description, at } }) => row && { ...row, description, version, updatedAt: at },
    CollectionDeleted: () => null,
    FieldAdded: (row, { version, data: { field, at } }) => row && { ...row, fields: [...row.fields, field], version, updatedAt: at },
    FieldChanged: (row, { version, data: { field, at } }) =>
      row && { ...row, fields: row.fields.map((known) => (known.name === field.name ? field : known)), version, updatedAt: at },
    FieldRemoved: (row, { version, data: { field, at } }) =>
      row && { ...row, fields: row.fields.filter((known) => known.name !== field.name), version, updatedAt: at },
    RelationAdded: (row, { version, data: { relation, at } }) => row && { ...row, relations: [...row.relations, relation], version, updatedAt: at },
    RelationRemoved: (row, { version, data: { relation, at } }) =>
      row && { ...row, relations: row.relations.filter((known) => !sameRelation(known, relation)), version, updatedAt: at },
  },
});
