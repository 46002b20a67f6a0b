import { projection, type Row } from '@app/projections/contract';
import type { ItemEvent } from '../item.events';
import { patched } from '../item.state';
import type { ItemView } from './item.view';

export type ItemRow = Row & Omit<ItemView, 'provenance' | 'question'>;

/** Every live item of every collection. A deleted item leaves; its revisions stay. */
export const items = projection<ItemRow, ItemEvent>({
  name: 'items',
  version: 2,
  columns: { collection: 'text', data: 'jsonb', version: 'integer', createdAt: 'text', updatedAt: 'text' },
  indexes: [
    ['collection', 'id'],
    ['collection', 'updatedAt'],
  ],
  searched: ['data'],
  on: {
    ItemCreated: (_row, { siteId, version, data: { collection, data, at } }, id) => ({
      id,
      siteId,
      collection,
      data,
      version,
      createdAt: at,
      updatedAt: at,
    }),
    ItemPatched: (row, { version, data: { patch, at } }) => row && { ...row, data: patched(row.data, patch), version, updatedAt: at },
    ItemRestored: (row, { version, data: { patch, at } }) => row && { ...row, data: patched(row.data, patch), version, updatedAt: at },
    VersionPromoted: (row, { version, data: { patch, at } }) => row && { ...row, data: patched(row.data, patch), version, updatedAt: at },
    VersionCreated: (row, { version }) => row && { ...row, version },
    VersionUpdated: (row, { version }) => row && { ...row, version },
    VersionDeleted: (row, { version }) => row && { ...row, version },
    ItemDeleted: () => null,
    EditExplained: (row, { version }) => row && { ...row, version },
    DeletionAnnounced: (row, { version }) => row && { ...row, version },
    DeletionWithdrawn: (row, { version }) => row && { ...row, version },
    FieldPinned: (row, { version }) => row && { ...row, version },
    FieldUnpinned: (row, { version }) => row && { ...row, version },
  },
});
