import { projection, type Row } from '@app/projections/contract';
import type { DeskEvent } from '../desk-file.events';

/** How many files somebody has that are not deleted. */
export type DeskUsageRow = Row & { readonly ownerId: string; readonly files: number };

/** One person may be known on several sites, by one id. */
export const usageId = (siteId: string, ownerId: string) => `${siteId}/${ownerId}`;

const counted = (change: number) => (row: DeskUsageRow | null, { siteId, data: { ownerId } }: { readonly siteId: string; readonly data: { readonly ownerId: string } }): DeskUsageRow => ({
  id: usageId(siteId, ownerId), siteId, ownerId, files: (row?.files ?? 0) + change,
});

export const deskUsage = projection<DeskUsageRow, DeskEvent>({
  name: 'desk_usage',
  version: 1,
  columns: { ownerId: 'text', files: 'integer' },
  rowIds: ({ siteId, data }) => [usageId(siteId, data.ownerId)],
  on: {
    DeskFileCreated: counted(1),
    DeskFileDeleted: counted(-1),
    DeskFileRestored: (row, event) => (event.data.wasDeleted ? counted(1)(row, event) : row),
  },
});
