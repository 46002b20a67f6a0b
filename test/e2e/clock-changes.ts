/** A change of the clocks of one time zone. Offsets are minutes from UTC; `day` is the date in UTC. */
export type ClockChange = {
  readonly zone: string;
  readonly area: string;
  readonly at: string;
  readonly day: string;
  readonly before: number;
  readonly after: number;
  readonly forward: boolean;
};

export const CLOCK_FIELDS = [
  { name: 'zone', type: 'text', required: true, constraints: { maxLength: 60 } }, { name: 'area', type: 'text', required: true }, { name: 'at', type: 'datetime', required: true },
  { name: 'day', type: 'date', required: true }, { name: 'before', type: 'integer', constraints: { min: -1_440, max: 1_440 } },
  { name: 'after', type: 'integer', constraints: { min: -1_440, max: 1_440 } }, { name: 'forward', type: 'boolean', required: true },
];

/** The same for the same rows, in whatever order they come. */
export const asSet = (rows: readonly ClockChange[]): readonly string[] =>
  rows.map(({ zone, area, at, day, before, after, forward }) => JSON.stringify([zone, area, at, day, before, after, forward])).toSorted();

const QUARTER_MS = 900_000;
/** Two changes of one zone that lie closer together than this are seen only if the clocks do not come back to where they were. */
const STEP_MS = 45 * 86_400_000;

/**
 * Every change of the clocks of every zone between two years, out of the time zone database of IANA, which is in the public domain and comes
 * with Node. Real names, real dates, and more of them than anybody would write down by hand.
 */
export const clockChanges = (fromYear: number, toYear: number): readonly ClockChange[] =>
  Intl.supportedValuesOf('timeZone').flatMap((zone) => changesOf(zone, Date.UTC(fromYear, 0, 1), Date.UTC(toYear, 0, 1)));

const changesOf = (zone: string, from: number, to: number): ClockChange[] => {
  const offsetAt = offsetsOf(zone);
  const changes: ClockChange[] = [];
  let before = offsetAt(from);
  for (let time = from; time < to; time += STEP_MS) {
    const after = offsetAt(time + STEP_MS);
    if (after === before) continue;
    const at = firstWith(after, time, time + STEP_MS, offsetAt);
    const instant = new Date(at).toISOString();
    changes.push({ zone, area: zone.split('/')[0]!, at: instant, day: instant.slice(0, 10), before, after, forward: after > before });
    before = after;
  }
  return changes;
};

const firstWith = (offset: number, from: number, to: number, offsetAt: (time: number) => number): number => {
  let [low, high] = [from / QUARTER_MS, to / QUARTER_MS];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (offsetAt(middle * QUARTER_MS) === offset) high = middle;
    else low = middle;
  }
  return high * QUARTER_MS;
};

const offsetsOf = (zone: string) => {
  const format = new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: 'longOffset' });
  return (time: number): number => {
    const [, sign, hours, minutes] = /GMT(?:([+-])(\d\d):(\d\d))?/.exec(format.format(time))!;
    return sign === undefined ? 0 : (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes));
  };
};
