import { idOf } from '@app/kernel';
import { projection, type Row } from '@app/projections/contract';
import type { IntentEvent } from '../intent.events';

export type IntentRow = Row & { readonly name: string; readonly collection: string; readonly openDrifts: number };

/** The intents of a site. What an answer shows of each comes from its stream; the row is for finding it, and counts its open drifts. */
export const intents = projection<IntentRow, IntentEvent>({
  name: 'intents',
  version: 1,
  columns: { name: 'text', collection: 'text', openDrifts: 'integer' },
  indexes: [['collection', 'id']],
  on: {
    IntentDeclared: (_row, { siteId, streamId, data: { definition } }) => ({ id: idOf(streamId), siteId, name: definition.name, collection: definition.collection, openDrifts: 0 }),
    IntentChanged: (row, { data: { definition } }) => row && { ...row, name: definition.name },
    DriftFound: (row) => row && { ...row, openDrifts: row.openDrifts + 1 },
    DriftResolved: (row) => row && { ...row, openDrifts: row.openDrifts - 1 },
    IntentDeleted: () => null,
  },
});
