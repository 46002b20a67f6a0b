import { Capability } from '@app/governance/contract';
import { Command, type Context, type Outcome } from '@app/kernel';
import { z } from 'zod';
import { INCIDENT_SEVERITIES, INCIDENT_SOURCES } from '../incident.events';
import type { IncidentView } from '../incident-list/incident.view';

export const OpenIncidentBody = z.strictObject({
  agentRole: z.string().trim().min(1).max(100).optional(),
  capability: Capability.optional(),
  source: z.enum(INCIDENT_SOURCES),
  severity: z.enum(INCIDENT_SEVERITIES),
  detail: z.string().trim().min(1).max(4_000),
  runId: z.string().min(1).max(100).optional(),
}).meta({ id: 'OpenIncident' });
export type OpenIncidentBody = z.infer<typeof OpenIncidentBody>;

export class OpenIncident extends Command<Outcome<IncidentView>> {
  constructor(
    readonly body: OpenIncidentBody,
    readonly context: Context,
  ) {
    super();
  }
}
