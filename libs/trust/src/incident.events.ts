import { eventFamily, type EventOf } from '@app/kernel';
import { z } from 'zod';

export const INCIDENT_SOURCES = ['veto', 'eval_fail', 'human_report', 'load_guard', 'runtime_error', 'commit_failure', 'breaker'] as const;
export const INCIDENT_SEVERITIES = ['low', 'medium', 'high'] as const;
export const INCIDENT_STATUSES = ['open', 'resolved'] as const;

const Person = z.strictObject({ kind: z.enum(['human', 'agent', 'service']), id: z.string(), role: z.string().optional() });
const Level = z.int().min(0).max(4);
export const Demoted = z.strictObject({ agentRole: z.string(), capability: z.string(), from: Level, to: Level });

export const incidentEvents = eventFamily('incident', {
  IncidentOpened: z.strictObject({
    incidentId: z.string(),
    siteId: z.string(),
    source: z.enum(INCIDENT_SOURCES),
    severity: z.enum(INCIDENT_SEVERITIES),
    /** Whose trust it costs; an incident without a role demotes nobody. Without a capability it costs the role everything it may do. */
    agentRole: z.string().nullable(),
    capability: z.string().nullable(),
    runId: z.string().nullable(),
    detail: z.string(),
    openedBy: Person,
    openedAt: z.string(),
    /** The levels that fell with it, in the same append. */
    demoted: z.array(Demoted),
  }),
  IncidentResolved: z.strictObject({ by: Person, note: z.string().nullable(), resolvedAt: z.string() }),
});
export type IncidentEvent = EventOf<typeof incidentEvents>;
