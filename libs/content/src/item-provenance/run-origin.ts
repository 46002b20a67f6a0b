import type { Executor } from '@app/event-store';
import type { Context } from '@app/kernel';
import { isOpened, run } from '@app/runs/contract';
import type { Provenance } from '../item.events';

/** What is known of the run that a change is made on. Both are settled when the run is opened, so a warm state is good enough. */
export const originOf = async (executor: Executor, { runId }: Pick<Context, 'runId'>): Promise<Provenance> => {
  if (runId === undefined) return {};
  const { state } = await executor.states.load(run, runId);
  if (!isOpened(state)) return {};
  const { envelope: { model }, constitution } = state;
  return { ...(model !== undefined && { model }), ...(constitution && { constitutionHash: constitution.hash }) };
};
