import { governance, type GovernanceEvent, type Site } from '@app/governance/contract';

export const site = (...events: GovernanceEvent[]): Site =>
  [{ type: 'SiteCreated', data: { siteId: 'site_a', name: 'A' } } as const, ...events].reduce(governance.evolve, governance.initial) as Site;
