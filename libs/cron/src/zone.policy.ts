const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
/** Offsets lie between -12 and +14 hours: what a wall clock shows is true somewhere in this span around the same text read as UTC. */
const [EARLIEST, LATEST] = [-15 * HOUR, 13 * HOUR];

const formats = new Map<string, Intl.DateTimeFormat>();

const formatOf = (zone: string): Intl.DateTimeFormat => {
  const known = formats.get(zone);
  if (known) return known;
  const made = new Intl.DateTimeFormat('en-US', {
    timeZone: zone, hourCycle: 'h23', year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric', second: 'numeric',
  });
  formats.set(zone, made);
  return made;
};

export const isTimeZone = (zone: string): boolean => {
  try {
    return formatOf(zone) !== undefined;
  } catch {
    return false;
  }
};

/** What the wall clock of a zone shows at an instant, written as if it were UTC; both are milliseconds since 1970. */
export const wallTime = (zone: string, instant: number): number => {
  const parts = Object.fromEntries(formatOf(zone).formatToParts(instant).map(({ type, value }) => [type, Number(value)]));
  const ms = ((instant % 1_000) + 1_000) % 1_000;
  return Date.UTC(parts['year']!, parts['month']! - 1, parts['day']!, parts['hour']!, parts['minute']!, parts['second']!) + ms;
};

export const offsetOf = (zone: string, instant: number): number => wallTime(zone, instant) - instant;

/** The first instant after `from`, at most `to`, at which the zone's offset is not that of `from` any more. They differ, and once. */
export const transition = (zone: string, from: number, to: number): number => {
  const before = offsetOf(zone, from);
  let [low, high] = [from, to];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (offsetOf(zone, middle) === before) low = middle;
    else high = middle;
  }
  return high;
};

/** When the wall clock shows a time: the first instant of a time that it shows twice, and the next valid one of a time that it skips. */
export const instantOf = (zone: string, wall: number): number => {
  const [from, to] = [wall + EARLIEST, wall + LATEST];
  const shown = [offsetOf(zone, from), offsetOf(zone, to)].map((offset) => wall - offset).filter((instant) => wallTime(zone, instant) === wall);
  return shown.length > 0 ? Math.min(...shown) : transition(zone, from, to);
};
