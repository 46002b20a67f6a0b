import { cronProblem, nextRun } from '@app/cron';
import { reject, type Rejected } from '@app/kernel';
import type { FlowTrigger } from '../flow.schema';

/** When a trigger is due next by itself, as ISO text; null for one that waits for events, and for a flow that is off. */
export const nextRunAt = (trigger: FlowTrigger, enabled: boolean, after: Date): string | null =>
  enabled && trigger.on === 'cron' ? (nextRun(trigger.expression, trigger.tz, after)?.toISOString() ?? null) : null;

/** A schedule that can never be kept is refused with its reason. */
export const scheduleRefusal = (trigger: FlowTrigger, now: Date): Rejected | undefined => {
  const problem = trigger.on === 'cron' ? cronProblem(trigger.expression, trigger.tz, now) : undefined;
  return problem === undefined ? undefined : reject('invalid', 'VALIDATION_FAILED', 'The schedule cannot be kept.', { errors: [{ pointer: '/trigger', detail: problem }] });
};
