import { item } from '@app/content/contract';
import { idOfText, type EventStore, type Executor } from '@app/event-store';
import { goal } from '@app/goals/contract';
import { governance } from '@app/governance/contract';
import { idOf, type Context, type Recorded } from '@app/kernel';
import { incident } from '@app/trust/contract';
import { RECONCILER } from '../cycle/assign-drift.decide';
import { ItemFacts } from '../cycle/item-facts';
import type { LinkChecker } from '../cycle/link-checker';
import { intent } from '../intent.state';
import { allDrifts } from '../open-drifts.state';
import { settleDrift } from './settle-drift.decide';
import { stagedUntil } from './staged-until';

export type DriftSettlerOptions = { readonly store: EventStore; readonly executor: Executor; readonly links: LinkChecker; readonly now?: () => Date };

/** Tells intents what became of their goals. Hearing of an end twice changes nothing: the drift has another goal by then, or none. */
export class DriftSettler {
  constructor(private readonly options: DriftSettlerOptions) {}

  /** The ends of goals; who handles them may be told more than once. */
  static readonly HEARS = ['GoalSettled', 'GoalCancelled'] as const;

  heard({ streamId, siteId, eventId }: Recorded): Promise<void> {
    return this.settle(idOf(streamId), siteId, { commandId: `settle-drift:${eventId}`, causationId: eventId, repeatable: true });
  }

  /** Does nothing for a goal that has not ended, or is none of an intent's. */
  async settle(goalId: string, siteId: string, by: Pick<Context, 'commandId' | 'causationId' | 'repeatable'>): Promise<void> {
    const { store, executor, links, now = () => new Date() } = this.options;
    // Where a goal comes from never changes, so for most of them a warm state is enough to be done.
    const { state: known } = await executor.states.load(goal, goalId);
    if (known.status !== 'none' && known.origin !== RECONCILER) return;
    const { state: ended } = await executor.current(goal, goalId);
    if (ended.status === 'none' || ended.origin !== RECONCILER || ended.intentId === null) return;
    const { intentId, runId } = ended;
    const { state } = await executor.current(intent, intentId);
    const drift = state.status === 'live' ? allDrifts(state.drifts).find((each) => each.goalId === goalId) : undefined;
    if (state.status !== 'live' || !drift) return;
    const { itemId } = drift;
    const about = await executor.current(item, itemId);
    const at = now();
    const facts = await new ItemFacts(executor, links, state).of(about.state.status === 'live' ? about.state.data : {}, at);
    const waitUntil = runId === null ? null : await stagedUntil(store, runId);
    const incidentId = idOfText('inc', `breaker:${goalId}`);
    const context: Context = { actor: { kind: 'service', id: RECONCILER }, siteId, now: at, correlationId: `intent:${intentId}`, ...by };
    const refs = {
      intent: { aggregate: intent, id: intentId }, item: { aggregate: item, id: itemId, guard: true }, goal: { aggregate: goal, id: goalId, guard: true },
      governance: { aggregate: governance, id: siteId }, incident: { aggregate: incident, id: incidentId },
    } as const;
    const done = await executor.execute(refs, { ...context, goalId, ...(runId !== null && { runId }) }, (states) => settleDrift(states, { goalId, incidentId, itemId, waitUntil }, facts, context));
    if (!done.ok) throw new Error(`The end of goal ${goalId} could not be told to its intent: ${done.rejection.detail}`);
  }
}
