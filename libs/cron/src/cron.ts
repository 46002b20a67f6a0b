import { Cron } from 'croner';

/** Five fields (minute hour day month weekday), or six with seconds in front. */
const MODE = '5-or-6-parts';

/**
 * The first instant strictly after `after` at which a schedule is due; null when it never comes due again. A local time that a zone skips runs at
 * the first valid instant behind the gap, one that comes twice runs once; a schedule of every hour follows real time instead. Throws for what
 * `cronProblem` names.
 */
export const nextRun = (expression: string, timeZone: string, after: Date): Date | null =>
  new Cron(asFixedTimes(expression), { timezone: timeZone, mode: MODE, fixedTimeRule: 'no-wildcard', paused: true }).nextRun(after);

/** Why a schedule can never be kept, in a sentence for its author: words nobody understands, an unknown zone, or a date that does not exist. */
export const cronProblem = (expression: string, timeZone: string, now: Date): string | undefined => {
  if (!isTimeZone(timeZone)) return `${timeZone} is no time zone; use a name like Europe/Berlin`;
  if (!FIELDS.test(expression.trim())) return 'Must be five cron fields, or six with seconds in front';
  try {
    return nextRun(expression, timeZone, now) === null ? 'No such date ever comes' : undefined;
  } catch (error) {
    return `Must be a cron schedule: ${(error as Error).message}`;
  }
};

export const isTimeZone = (name: string): boolean => {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
};

const FIELDS = /^\S+(\s+\S+){4,5}$/;
/** Largest values of seconds, minutes and hours. */
const LAST = [59, 59, 23];

/**
 * Steps of seconds, minutes and hours written out as lists. The scheduler below us takes lists and ranges for fixed times, which it moves out of a
 * gap, and steps for intervals, which it leaves out there: `*\/30 2` would miss the night in which the clocks go forward.
 */
const asFixedTimes = (expression: string): string => {
  const fields = expression.trim().split(/\s+/);
  const first = fields.length === 6 ? 0 : 1;
  if (/^\*(\/1)?$/.test(fields[2 - first] ?? '')) return expression;
  return fields.map((field, nr) => (nr + first <= 2 ? field.split(',').map((part) => writtenOut(part, LAST[nr + first]!)).join(',') : field)).join(' ');
};

const writtenOut = (part: string, last: number): string => {
  if (part === '*') return `0-${last}`;
  const [, from, to, step] = /^(?:\*|(\d{1,2})-(\d{1,2}))\/([1-9]\d?)$/.exec(part) ?? [];
  if (step === undefined) return part;
  const [low, high] = [Number(from ?? 0), Number(to ?? last)];
  const values = Array.from({ length: Math.max(0, Math.floor((high - low) / Number(step)) + 1) }, (_, nr) => low + nr * Number(step));
  return values.length === 0 || high > last ? part : values.join(',');
};
