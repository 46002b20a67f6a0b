import type { Governance, GovernanceEvent } from '@app/governance/contract';
import { accept, type Context, type Decision } from '@app/kernel';
import { openIncident, type Incident, type IncidentEvent } from '@app/trust/contract';
import type { LoadEvent } from '../load.events';
import type { Load } from '../load.state';
import { sentenceOf, type LoadSignals } from './backpressure.policy';

type Events = { readonly load?: readonly LoadEvent[]; readonly incident?: readonly IncidentEvent[]; readonly governance?: readonly GovernanceEvent[] };
type Ask = { readonly activation: number; readonly incidentId: string; readonly signals: LoadSignals; readonly holdDownMs: number };

/**
 * Puts a site under backpressure, with its incident in the same append. Processes that see the same peak mean the same activation: whoever comes
 * second finds it done.
 */
export const activateBackpressure = (
  states: { readonly load: Load; readonly incident: Incident; readonly governance: Governance },
  { activation, incidentId, signals, holdDownMs }: Ask,
  context: Pick<Context, 'siteId' | 'actor' | 'now'>,
): Decision<Events> => {
  if (states.load.status === 'pressed' || states.load.activations !== activation - 1) return accept({});
  const opening = { incidentId, source: 'load_guard', severity: 'medium', agentRole: null, capability: null, runId: null, detail: sentenceOf(signals) } as const;
  const opened = openIncident(states, opening, context);
  if (!opened.ok) return opened;
  const { siteId, now } = context;
  return accept({ ...opened.events, load: [{ type: 'BackpressureActivated', data: { siteId, activation, incidentId, signals, holdDownMs, at: now.toISOString() } }] });
};

export const releaseBackpressure = ({ load }: { readonly load: Load }, calmSince: Date, now: Date): Decision<Events> =>
  accept({ load: load.status === 'calm' ? [] : [{ type: 'BackpressureReleased', data: { activation: load.activations, calmSince: calmSince.toISOString(), at: now.toISOString() } }] });
