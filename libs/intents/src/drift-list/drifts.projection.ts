import { idOf } from '@app/kernel';
import { projection, type Row } from '@app/projections/contract';
import type { IntentEvent } from '../intent.events';
import type { DriftView } from './drift.view';

export type DriftRow = Row & DriftView;

/** Every drift there was, by its fingerprint, as it stands. */
export const drifts = projection<DriftRow, IntentEvent>({
  name: 'drifts',
  version: 1,
  columns: {
    intentId: 'text', itemId: 'text', ruleType: 'text', ruleKey: 'text', detail: 'text', status: 'text', goalId: 'text', foundAt: 'text', resolution: 'text',
    resolvedAt: 'text',
  },
  indexes: [['intentId', 'status', 'id']],
  rowIds: ({ data }) => ('fingerprint' in data ? [data.fingerprint] : []),
  on: {
    DriftFound: (_row, { siteId, streamId, data: { fingerprint, itemId, ruleType, ruleKey, detail, at } }) => ({
      id: fingerprint, siteId, intentId: idOf(streamId), itemId, ruleType, ruleKey, detail, status: 'open', goalId: null, foundAt: at, resolution: null, resolvedAt: null,
    }),
    DriftAssigned: (row, { data: { goalId } }) => row && { ...row, status: 'assigned', goalId },
    DriftReleased: (row) => row && { ...row, status: 'open', goalId: null },
    DriftResolved: (row, { data: { resolution, goalId, at } }) => row && { ...row, status: 'resolved', resolution, goalId, resolvedAt: at },
  },
});
