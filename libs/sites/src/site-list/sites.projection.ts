import type { GovernanceEvent } from '@app/governance/contract';
import { projection, type Row } from '@app/projections/contract';

export type SiteRow = Row & { readonly name: string; readonly createdAt: string };

/** Every site there is. */
export const sites = projection<SiteRow, GovernanceEvent>({
  name: 'sites',
  version: 1,
  columns: { name: 'text', createdAt: 'text' },
  on: { SiteCreated: (_row, { occurredAt, data: { siteId, name } }) => ({ id: siteId, siteId, name, createdAt: occurredAt }) },
});
