import { z } from 'zod';
import { Demoted, INCIDENT_SEVERITIES, INCIDENT_SOURCES, INCIDENT_STATUSES } from '../incident.events';
import type { Incident } from '../incident.state';

/** Something that went wrong, whose trust it cost, and who looked after it. */
export const IncidentView = z.object({
  id: z.string(),
  siteId: z.string(),
  status: z.enum(INCIDENT_STATUSES),
  source: z.enum(INCIDENT_SOURCES),
  severity: z.enum(INCIDENT_SEVERITIES),
  agentRole: z.string().nullable(),
  capability: z.string().nullable(),
  runId: z.string().nullable(),
  detail: z.string(),
  demoted: z.array(Demoted),
  openedBy: z.string(),
  openedAt: z.string(),
  resolvedBy: z.string().nullable(),
  resolvedAt: z.string().nullable(),
  note: z.string().nullable(),
}).meta({ id: 'Incident' });
export type IncidentView = Readonly<z.infer<typeof IncidentView>>;

export const incidentView = ({ opened: { incidentId, openedBy, ...opened }, ...state }: Exclude<Incident, { status: 'none' }>): IncidentView => ({
  id: incidentId, ...opened, status: state.status, openedBy: openedBy.id,
  ...('resolved' in state
    ? { resolvedBy: state.resolved.by.id, resolvedAt: state.resolved.resolvedAt, note: state.resolved.note }
    : { resolvedBy: null, resolvedAt: null, note: null }),
});
