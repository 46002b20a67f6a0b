import { accept, type Decision } from '@app/kernel';
import type { FlowEvent } from '../flow.events';
import type { Flow, OpenOccurrence } from '../flow.state';

export type OperationResult = Extract<FlowEvent, { type: 'FlowRan' }>['data']['results'][number];
export type Finish = { readonly results: readonly OperationResult[]; readonly reason: string | null };

/** Ends an occurrence once. It has succeeded when nothing stopped it. */
export const finishFlow = (
  { flow }: { readonly flow: Flow },
  { occurrenceId, goalId, runId }: Pick<OpenOccurrence, 'occurrenceId' | 'goalId' | 'runId'>,
  { results, reason }: Finish,
  now: Date,
): Decision<{ readonly flow: readonly FlowEvent[] }> => {
  if (flow.status === 'none' || flow.open?.occurrenceId !== occurrenceId) return accept({ flow: [] });
  const status = reason === null ? 'succeeded' : 'failed';
  return accept({ flow: [{ type: 'FlowRan', data: { occurrenceId, goalId, runId, status, results: [...results], reason, at: now.toISOString() } }] });
};
