import type { Governance, GovernanceEvent } from '@app/governance/contract';
import { accept, missing, type Context, type Decision } from '@app/kernel';
import { demotionsFor } from '../demotion.policy';
import type { IncidentEvent } from '../incident.events';
import type { Incident } from '../incident.state';

type Opened = Extract<IncidentEvent, { type: 'IncidentOpened' }>['data'];
export type Opening = Pick<Opened, 'incidentId' | 'source' | 'severity' | 'agentRole' | 'capability' | 'runId' | 'detail'>;
export type OpenedEvents = { readonly incident: readonly IncidentEvent[]; readonly governance: readonly GovernanceEvent[] };

/**
 * An incident and what it costs are one append on two streams: there is no moment in which the incident is known and the role still has
 * its old level. Whoever opens incidents writes both; opening the same one again does nothing.
 */
export const openIncident = (
  states: { readonly incident: Incident; readonly governance: Governance },
  opening: Opening,
  { siteId, actor, now }: Pick<Context, 'siteId' | 'actor' | 'now'>,
): Decision<OpenedEvents> => {
  const { incident, governance } = states;
  if (governance.status === 'none') return missing();
  if (incident.status !== 'none') return accept({ incident: [], governance: [] });
  const demoted = demotionsFor(governance, opening, now);
  const openedBy = { kind: actor.kind, id: actor.id, ...(actor.role !== undefined && { role: actor.role }) };
  return accept({
    incident: [{ type: 'IncidentOpened', data: { ...opening, siteId, openedBy, openedAt: now.toISOString(), demoted: [...demoted] } }],
    governance: demoted.map(({ to, ...key }) => ({ type: 'AutonomyDemoted', data: { ...key, level: to, incidentId: opening.incidentId } })),
  });
};
