import { accept, reject, type Context, type Decision } from '@app/kernel';
import type { FlowEvent } from '../flow.events';
import type { Flow, KnownFlow } from '../flow.state';
import { liveFlow } from '../live-flow.policy';
import type { StartedFlow } from './start-flow.command';

/** Begins one occurrence. A person may run a flow that is switched off; its trigger may not. */
export const startFlow = (
  { flow: state }: { readonly flow: Flow },
  started: Pick<StartedFlow, 'occurrenceId' | 'goalId' | 'runId' | 'cause'>,
  nextRunAt: (flow: KnownFlow) => string | null,
  { siteId, now }: Pick<Context, 'siteId' | 'now'>,
): Decision<{ readonly flow: readonly FlowEvent[] }> => {
  const found = liveFlow(state, siteId);
  if (!found.ok) return found;
  const { flow } = found;
  if (flow.open) return reject('conflict', 'CONFLICT', 'This flow is running; one occurrence follows the other.', { runId: flow.open.runId, startedAt: flow.open.at });
  if (!flow.enabled && started.cause !== 'manual') return accept({ flow: [] });
  return accept({ flow: [{ type: 'FlowStarted', data: { ...started, nextRunAt: nextRunAt(flow), at: now.toISOString() } }] });
};
