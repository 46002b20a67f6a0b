import type { Item } from '@app/content/contract';
import type { Goal } from '@app/goals/contract';
import { intentStatus, type Governance, type GovernanceEvent } from '@app/governance/contract';
import { accept, type Context, type Decision } from '@app/kernel';
import { openIncident, type Incident, type IncidentEvent } from '@app/trust/contract';
import { brokenBy } from '../cycle/observe-item.decide';
import type { IntentEvent } from '../intent.events';
import type { Intent, LiveIntent } from '../intent.state';
import { allDrifts } from '../open-drifts.state';
import type { Facts } from '../rules/violations.policy';

/** Goals that may fail in a row; the last of them breaks the intent. */
export const FAILURES_UNTIL_BROKEN = 3;

type States = { readonly intent: Intent; readonly item: Item; readonly goal: Goal; readonly governance: Governance; readonly incident: Incident };
type Events = { readonly intent: readonly IntentEvent[]; readonly governance: readonly GovernanceEvent[]; readonly incident: readonly IncidentEvent[] };
/** `waitUntil`: until then what the goal staged may still come. */
export type Ended = { readonly goalId: string; readonly incidentId: string; readonly itemId: string; readonly waitUntil: string | null };

/**
 * What the end of a goal means for its drift: repaired, and then it is resolved; or it is there still and waits for another goal. The third
 * failure in a row breaks the intent in the same append that records it, with the incident.
 */
export const settleDrift = (
  { intent, item, goal, governance, incident }: States,
  { goalId, incidentId, itemId, waitUntil }: Ended,
  facts: Facts,
  context: Pick<Context, 'siteId' | 'actor' | 'now'>,
): Decision<Events> => {
  const nothing = accept<Events>({ intent: [], governance: [], incident: [] });
  const drift = intent.status === 'live' ? allDrifts(intent.drifts).find((each) => each.goalId === goalId) : undefined;
  if (intent.status !== 'live' || !drift || (goal.status !== 'completed' && goal.status !== 'failed' && goal.status !== 'cancelled')) return nothing;
  const { fingerprint } = drift;
  const at = context.now.toISOString();
  const isThere = brokenBy(intent, item, itemId, facts).has(fingerprint);
  const resolved: IntentEvent = { type: 'DriftResolved', data: { fingerprint, resolution: goal.status === 'completed' ? 'repaired' : 'gone', goalId, at } };
  if (goal.status === 'completed' && !isThere) return accept({ intent: [resolved], governance: [], incident: [] });
  const broke = goal.status === 'failed' && intent.failures + 1 >= FAILURES_UNTIL_BROKEN && intentStatus(governance, intent.intentId) !== 'error';
  const outcome = goal.status === 'completed' ? 'unrepaired' : goal.status;
  const released: IntentEvent = { type: 'DriftReleased', data: { fingerprint, goalId, outcome, waitUntil: isThere ? waitUntil : null, broke, at } };
  const events = isThere ? [released] : [released, resolved];
  return broke ? broken(intent, events, { incident, governance }, incidentId, goal.reason, context) : accept({ intent: events, governance: [], incident: [] });
};

const broken = (
  { intentId, definition }: LiveIntent,
  events: readonly IntentEvent[],
  states: { readonly incident: Incident; readonly governance: Governance },
  incidentId: string,
  reason: string | null,
  context: Pick<Context, 'siteId' | 'actor' | 'now'>,
): Decision<Events> => {
  const detail = `The intent ${definition.name} (${intentId}) broke: ${FAILURES_UNTIL_BROKEN} goals failed in a row, the last one with: ${reason ?? 'no reason'}`.slice(0, 4_000);
  // It is not known whose fault it is, so nobody's trust falls.
  const opened = openIncident(states, { incidentId, source: 'breaker', severity: 'medium', agentRole: null, capability: null, runId: null, detail }, context);
  if (!opened.ok) return opened;
  return accept({
    intent: events, incident: opened.events.incident,
    governance: [{ type: 'IntentBroken', data: { intentId, reason: detail, incidentId } }, ...opened.events.governance],
  });
};
