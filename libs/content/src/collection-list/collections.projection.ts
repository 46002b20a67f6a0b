import { projection, type Row } from '@app/projections/contract';
import type { CollectionEvent } from '../collection.events';
import type { CollectionView } from './collection.view';

export type CollectionRow = Row & CollectionView;

/** Every collection of a site with its fields. */
export const collections = projection<CollectionRow, CollectionEvent>({
  name: 'collections',
  version: 1,
  columns: { name: 'text', fields: 'jsonb', version: 'integer', createdAt: 'text', updatedAt: 'text' },
  indexes: [['name']],
  on: {
    CollectionCreated: (_row, { siteId, version, data: { name, fields, at } }, id) => ({
      id,
      siteId,
      name,
      fields,
      version,
      createdAt: at,
      updatedAt: at,
    }),
    CollectionGoverned: (row, { version }) => row && { ...row, version },
    CollectionReleased: (row, { version }) => row && { ...row, version },
    FieldAdded: (row, { version, data: { field, at } }) => row && { ...row, fields: [...row.fields, field], version, updatedAt: at },
  },
});
