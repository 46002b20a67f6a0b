import { cronProblem, isTimeZone, nextRun as nextOccurrence } from '@app/cron';
import type { IntentDefinition } from '../intent.schema';
import { isOpen, nextOpening } from './maintenance-window.policy';

type Scheduled = Pick<IntentDefinition, 'schedule' | 'tz' | 'maintenanceWindow'>;

/** The intent's zone, else that of its windows, else UTC. */
export const zoneOf = ({ tz, maintenanceWindow }: Omit<Scheduled, 'schedule'>): string => {
  const zone = tz ?? maintenanceWindow?.tz ?? 'UTC';
  return isTimeZone(zone) ? zone : 'UTC';
};

/** Why a schedule cannot be used, or null. One that never comes, such as the 31st of February, is no schedule, and none runs every second. */
export const scheduleProblem = (schedule: string): string | null => {
  if (schedule.trim().split(/\s+/).length > 5) return 'Must be cron with five fields, e.g. 0 2 * * 1-5';
  return cronProblem(schedule, 'UTC', new Date(0)) ?? null;
};

/** When the intent's next cycle runs: as scheduled, or when a window opens if the schedule asks for a time outside of all. */
export const nextRun = (definition: Scheduled, after: Date): Date | null => {
  const next = nextOccurrence(definition.schedule, zoneOf(definition), after);
  if (!next || !definition.maintenanceWindow || isOpen(definition.maintenanceWindow, next)) return next;
  return nextOpening(definition.maintenanceWindow, next);
};
