import { describe, expect, it } from '@jest/globals';
import { Cron } from 'croner';
import fc from 'fast-check';
import { nextOccurrence, nextRun, scheduleProblem, zoneOf } from './schedule';
import { wallTime } from './zone.policy';

const runs = (schedule: string, zone: string, from: string, count: number): string[] => {
  const found: string[] = [];
  for (let at = new Date(from); found.length < count; ) {
    const next = nextOccurrence(schedule, zone, at);
    if (!next) break;
    found.push(next.toISOString());
    at = next;
  }
  return found;
};
const ZONES = ['Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'Pacific/Apia', 'Asia/Kathmandu', 'UTC'];

describe('A schedule', () => {
  it('[INTENT-021] is evaluated in the zone of the intent, else in that of its windows, else in UTC', () => {
    const maintenanceWindow = { tz: 'Asia/Tokyo', windows: [{ dow: 1, start: '00:00', end: '24:00' }] };
    expect([zoneOf({ tz: 'Europe/Berlin', maintenanceWindow }), zoneOf({ maintenanceWindow }), zoneOf({}), zoneOf({ maintenanceWindow: { ...maintenanceWindow, tz: 'Mars/Base' } })]).toEqual([
      'Europe/Berlin', 'Asia/Tokyo', 'UTC', 'UTC',
    ]);
    const from = new Date('2027-01-10T12:00:00Z');
    const noon = { schedule: '0 12 * * *' };
    expect(nextRun({ ...noon, tz: 'Europe/Berlin' }, from)?.toISOString()).toBe('2027-01-11T11:00:00.000Z');
    expect(nextRun({ ...noon, maintenanceWindow }, from)?.toISOString()).toBe('2027-01-11T03:00:00.000Z');
    expect(nextRun(noon, from)?.toISOString()).toBe('2027-01-11T12:00:00.000Z');
  });

  it.each([
    ['Europe/Berlin', '30 2 * * *', '2027-03-27T12:00:00Z', ['2027-03-28T01:00:00.000Z', '2027-03-29T00:30:00.000Z']],
    ['Europe/Berlin', '*/15 2 * * *', '2027-03-27T12:00:00Z', ['2027-03-28T01:00:00.000Z', '2027-03-29T00:00:00.000Z']],
    ['Europe/Berlin', '*/30 * * * *', '2027-03-28T00:20:00Z', ['2027-03-28T00:30:00.000Z', '2027-03-28T01:00:00.000Z', '2027-03-28T01:30:00.000Z']],
    ['America/New_York', '30 2 * * *', '2027-03-13T12:00:00Z', ['2027-03-14T07:00:00.000Z', '2027-03-15T06:30:00.000Z']],
    ['Australia/Lord_Howe', '15 2 * * *', '2027-10-02T00:00:00Z', ['2027-10-02T15:30:00.000Z', '2027-10-03T15:15:00.000Z']],
    ['Pacific/Apia', '0 12 30 12 *', '2011-12-01T00:00:00Z', ['2011-12-30T10:00:00.000Z', '2012-12-29T22:00:00.000Z']],
  ])('[INTENT-022] whose local time is skipped in %s runs at the next valid instant: %s', (zone, schedule, from, expected) => {
    expect(runs(schedule, zone, from, expected.length)).toEqual(expected);
  });

  it.each([
    ['Europe/Berlin', '30 2 * * *', '2027-10-30T12:00:00Z', ['2027-10-31T00:30:00.000Z', '2027-11-01T01:30:00.000Z']],
    ['Europe/Berlin', '*/30 * * * *', '2027-10-30T23:40:00Z', ['2027-10-31T00:00:00.000Z', '2027-10-31T00:30:00.000Z', '2027-10-31T02:00:00.000Z']],
    ['America/New_York', '30 1 * * *', '2027-11-06T12:00:00Z', ['2027-11-07T05:30:00.000Z', '2027-11-08T06:30:00.000Z']],
    ['Australia/Lord_Howe', '45 1 * * *', '2027-04-02T20:00:00Z', ['2027-04-03T14:45:00.000Z', '2027-04-04T15:15:00.000Z']],
  ])('[INTENT-022] whose local time repeats in %s runs once: %s', (zone, schedule, from, expected) => {
    expect(runs(schedule, zone, from, expected.length)).toEqual(expected);
  });

  it('runs at every minute that the wall clock shows, once each, and never else', () => {
    const from = fc.integer({ min: Date.UTC(2026, 0), max: Date.UTC(2029, 0) }).map((ms) => Math.floor(ms / 60_000) * 60_000);
    fc.assert(
      fc.property(fc.constantFrom(...ZONES), fc.integer({ min: 0, max: 59 }), fc.integer({ min: 0, max: 23 }), from, (zone, minute, hour, start) => {
        const times = runs(`${minute} ${hour} * * *`, zone, new Date(start).toISOString(), 4).map(Date.parse);
        expect(times.length).toBe(4);
        for (const [index, time] of times.entries()) {
          const wall = new Date(wallTime(zone, time));
          const wanted = Date.UTC(wall.getUTCFullYear(), wall.getUTCMonth(), wall.getUTCDate(), hour, minute);
          // Later than wanted only if the wanted time is none of this zone's clock.
          if (wanted !== wall.getTime()) for (let at = time - 90 * 60_000; at < time; at += 60_000) expect(wallTime(zone, at)).not.toBe(wanted);
          if (index > 0) expect(wallTime(zone, time) - wallTime(zone, times[index - 1]!)).toBeGreaterThan(22 * 3_600_000);
        }
      }),
      { numRuns: 150 },
    );
  });

  it('is not left to the cron library in a zone: that one loses steps in a gap and repeats them in an overlap', () => {
    const library = (schedule: string, from: string) => new Cron(schedule, { timezone: 'Europe/Berlin', paused: true }).nextRun(new Date(from))?.toISOString();
    expect(library('*/15 2 * * *', '2027-03-27T12:00:00Z')).toBe('2027-03-29T00:00:00.000Z');
    expect(library('*/30 * * * *', '2027-10-31T00:30:00Z')).toBe('2027-10-31T01:00:00.000Z');
  });

  it('[INTENT-023] with a date that never comes is refused, as is one that is none', () => {
    for (const never of ['0 0 31 2 *', '0 0 30 2 *', '0 0 31 4,6,9,11 *']) expect(scheduleProblem(never)).toBe('This date never comes');
    for (const none of ['', 'x', '61 * * * *', '* * * *', '0 0 0 * * *', '* * * * * * *', '2027-05-01T00:00:00', '@never', '0 25 * * *']) expect([none, scheduleProblem(none)]).toEqual([none, expect.any(String)]);
    for (const fine of ['0 2 * * *', '0 0 29 2 *', '*/5 8-18 * * 1-5', '@daily', '0 0 31 2 1']) expect([fine, scheduleProblem(fine)]).toEqual([fine, null]);
  });

  it('that asks for a time outside of all windows runs when one opens', () => {
    const maintenanceWindow = { tz: 'Europe/Berlin', windows: [{ dow: 1, start: '22:00', end: '02:00' }] };
    const next = (schedule: string, from: string) => nextRun({ schedule, maintenanceWindow }, new Date(from))?.toISOString();
    expect(next('0 12 * * *', '2027-01-10T12:00:00Z')).toBe('2027-01-11T21:00:00.000Z');
    expect(next('*/10 * * * *', '2027-01-11T21:03:00Z')).toBe('2027-01-11T21:10:00.000Z');
    expect(next('0 * * * *', '2027-01-12T00:30:00Z')).toBe('2027-01-18T21:00:00.000Z');
  });
});
