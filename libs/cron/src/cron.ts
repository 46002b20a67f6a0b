import { Cron } from 'croner';
import { instantOf, isTimeZone, wallTime } from './zone.policy';

/** Five fields (minute hour day month weekday), or six with seconds in front. */
const FIELDS = /^\S+(\s+\S+){4,5}$/;
const NICKNAMES = /^@(hourly|daily|weekly|monthly|yearly|annually|midnight)$/;

/** The pattern runs on a clock that is never set: what a zone makes of its times is decided here. */
const cronOf = (expression: string) => new Cron(expression, { timezone: 'UTC', mode: '5-or-6-parts', paused: true });

/**
 * The first instant strictly after `after` at which the wall clock of the zone shows a time of the schedule: a time that the clock skips runs
 * at the next valid instant, one that it shows twice runs the first time. Null when it never comes due again. Throws for what `cronProblem` names.
 */
export const nextRun = (expression: string, timeZone: string, after: Date): Date | null => {
  const cron = cronOf(expression);
  for (let wall: Date | null = new Date(wallTime(timeZone, after.getTime())); ; ) {
    wall = cron.nextRun(wall);
    if (wall === null) return null;
    const instant = instantOf(timeZone, wall.getTime());
    if (instant > after.getTime()) return new Date(instant);
  }
};

/** Why a schedule can never be kept, in a sentence for its author: words nobody understands, an unknown zone, or a date that does not exist. */
export const cronProblem = (expression: string, timeZone: string, now: Date): string | undefined => {
  if (!isTimeZone(timeZone)) return `${timeZone} is no time zone; use a name like Europe/Berlin`;
  if (!NICKNAMES.test(expression) && !FIELDS.test(expression.trim())) return 'Must be five cron fields, or six with seconds in front';
  try {
    return nextRun(expression, timeZone, now) === null ? 'No such date ever comes' : undefined;
  } catch (error) {
    return `Must be a cron schedule: ${(error as Error).message}`;
  }
};
