import { Query } from '@app/kernel';
import type { INCIDENT_SEVERITIES, INCIDENT_STATUSES } from '../incident.events';
import type { IncidentView } from './incident.view';

export type IncidentFilter = {
  readonly limit: number;
  readonly cursor?: string | undefined;
  readonly status?: (typeof INCIDENT_STATUSES)[number] | undefined;
  readonly severity?: (typeof INCIDENT_SEVERITIES)[number] | undefined;
  readonly agentRole?: string | undefined;
  readonly minPosition?: bigint | undefined;
};
export type IncidentPage = { readonly rows: readonly IncidentView[]; readonly nextCursor: string | null; readonly position: bigint };

export class ListIncidents extends Query<IncidentPage> {
  constructor(
    readonly siteId: string,
    readonly filter: IncidentFilter,
  ) {
    super();
  }
}

/** All open incidents of a site, newest first; at most 200. */
export class ListOpenIncidents extends Query<readonly IncidentView[]> {
  constructor(
    readonly siteId: string,
    readonly minPosition?: bigint,
  ) {
    super();
  }
}
