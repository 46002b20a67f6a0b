import { Cron } from 'croner';
import type { IntentDefinition } from '../intent.schema';
import { isOpen, nextOpening } from './maintenance-window.policy';
import { instantOf, isZone, wallTime } from './zone.policy';

type Scheduled = Pick<IntentDefinition, 'schedule' | 'tz' | 'maintenanceWindow'>;

/** The intent's zone, else that of its windows, else UTC. */
export const zoneOf = ({ tz, maintenanceWindow }: Omit<Scheduled, 'schedule'>): string => {
  const zone = tz ?? maintenanceWindow?.tz ?? 'UTC';
  return isZone(zone) ? zone : 'UTC';
};

/** The pattern runs on a clock that is never set: what the zone makes of its times is decided here. */
const cronOf = (schedule: string) => new Cron(schedule, { timezone: 'UTC', paused: true });

/** Why a schedule cannot be used, or null. One that never comes, such as the 31st of February, is no schedule. */
export const scheduleProblem = (schedule: string): string | null => {
  if (!/^@(hourly|daily|weekly|monthly|yearly|annually|midnight)$/.test(schedule) && schedule.split(/\s+/).length !== 5) {
    return 'Must be cron with five fields, e.g. 0 2 * * 1-5';
  }
  try {
    return cronOf(schedule).nextRun(new Date('2000-01-01T00:00:00Z')) === null ? 'This date never comes' : null;
  } catch (error) {
    return (error as Error).message;
  }
};

/**
 * The next instant after `after` at which the wall clock of the zone shows a time of the schedule: a time that the clock skips runs at the
 * next valid instant, one that it shows twice runs the first time. Null when there is none any more.
 */
export const nextOccurrence = (schedule: string, zone: string, after: Date): Date | null => {
  const cron = cronOf(schedule);
  for (let wall: Date | null = new Date(wallTime(zone, after.getTime())); ; ) {
    wall = cron.nextRun(wall);
    if (wall === null) return null;
    const instant = instantOf(zone, wall.getTime());
    if (instant > after.getTime()) return new Date(instant);
  }
};

/** When the intent's next cycle runs: as scheduled, or when a window opens if the schedule asks for a time outside of all. */
export const nextRun = (definition: Scheduled, after: Date): Date | null => {
  const next = nextOccurrence(definition.schedule, zoneOf(definition), after);
  if (!next || !definition.maintenanceWindow || isOpen(definition.maintenanceWindow, next)) return next;
  return nextOpening(definition.maintenanceWindow, next);
};
