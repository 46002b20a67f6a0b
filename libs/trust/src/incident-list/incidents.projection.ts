import { projection } from '@app/projections/contract';
import type { IncidentEvent } from '../incident.events';
import { incidentView, type IncidentView } from './incident.view';

/** Every incident of a site. */
export const incidents = projection<IncidentView, IncidentEvent>({
  name: 'incidents',
  version: 1,
  columns: {
    status: 'text', source: 'text', severity: 'text', agentRole: 'text', capability: 'text', runId: 'text', detail: 'text', demoted: 'jsonb', openedBy: 'text',
    openedAt: 'text', resolvedBy: 'text', resolvedAt: 'text', note: 'text',
  },
  indexes: [['status', 'id']],
  on: {
    IncidentOpened: (_row, { data }) => incidentView({ status: 'open', opened: data }),
    IncidentResolved: (row, { data: { by, note, resolvedAt } }) => row && { ...row, status: 'resolved', resolvedBy: by.id, resolvedAt, note },
  },
});
