import { describe, expect, it } from '@jest/globals';
import { Cron } from 'croner';
import fc from 'fast-check';
import { cronProblem, nextRun } from './cron';
import { wallTime } from './zone.policy';

const MINUTE = 60_000;
const ZONES = ['Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'Pacific/Apia', 'Asia/Kathmandu', 'UTC'];
const zone = fc.constantFrom(...ZONES);
const runs = (expression: string, timeZone: string, after: string, count: number) => {
  const found: Date[] = [];
  for (let at = nextRun(expression, timeZone, new Date(after)); at && found.length < count; at = nextRun(expression, timeZone, at)) found.push(at);
  return found.map((at) => at.toISOString());
};
/** An hour near a change of the clocks, or of a day without one. */
const around = fc.record({
  day: fc.constantFrom('2027-03-28', '2027-10-31', '2027-03-14', '2027-11-07', '2027-04-03', '2027-10-02', '2011-12-30', '2027-06-15'),
  hours: fc.integer({ min: -30, max: 30 }),
}).map(({ day, hours }) => new Date(Date.parse(`${day}T00:00:00Z`) + hours * 60 * MINUTE));

describe('A cron schedule', () => {
  it('is read in its zone', () => {
    expect(runs('0 9 * * 1', 'Asia/Tokyo', '2026-01-01T00:00:00Z', 2)).toEqual(['2026-01-05T00:00:00.000Z', '2026-01-12T00:00:00.000Z']);
    expect(runs('*/20 * * * * *', 'UTC', '2026-01-01T00:00:00Z', 2)).toEqual(['2026-01-01T00:00:20.000Z', '2026-01-01T00:00:40.000Z']);
    expect(runs('@daily', 'Europe/Berlin', '2026-01-01T00:00:00Z', 1)).toEqual(['2026-01-01T23:00:00.000Z']);
  });

  it.each([
    ['Europe/Berlin', '30 2 * * *', '2027-03-27T12:00:00Z', ['2027-03-28T01:00:00.000Z', '2027-03-29T00:30:00.000Z']],
    ['Europe/Berlin', '0,30 2 * * *', '2027-03-27T12:00:00Z', ['2027-03-28T01:00:00.000Z', '2027-03-29T00:00:00.000Z']],
    ['Europe/Berlin', '*/15 2 * * *', '2027-03-27T12:00:00Z', ['2027-03-28T01:00:00.000Z', '2027-03-29T00:00:00.000Z']],
    ['Europe/Berlin', '* 2 * * *', '2027-03-27T12:00:00Z', ['2027-03-28T01:00:00.000Z', '2027-03-29T00:00:00.000Z']],
    ['Europe/Berlin', '0 */2 * * *', '2027-03-28T00:30:00Z', ['2027-03-28T01:00:00.000Z', '2027-03-28T02:00:00.000Z']],
    ['Europe/Berlin', '*/30 * * * *', '2027-03-28T00:20:00Z', ['2027-03-28T00:30:00.000Z', '2027-03-28T01:00:00.000Z', '2027-03-28T01:30:00.000Z']],
    ['America/New_York', '30 2 * * *', '2027-03-13T12:00:00Z', ['2027-03-14T07:00:00.000Z', '2027-03-15T06:30:00.000Z']],
    ['Australia/Lord_Howe', '15 2 * * *', '2027-10-02T00:00:00Z', ['2027-10-02T15:30:00.000Z', '2027-10-03T15:15:00.000Z']],
    ['Pacific/Apia', '0 12 30 12 *', '2011-12-01T00:00:00Z', ['2011-12-30T10:00:00.000Z', '2012-12-29T22:00:00.000Z']],
  ])('[INTENT-022] whose local time is skipped in %s runs at the next valid instant: %s', (timeZone, schedule, from, expected) => {
    expect(runs(schedule, timeZone, from, expected.length)).toEqual(expected);
  });

  it.each([
    ['Europe/Berlin', '30 2 * * *', '2027-10-30T12:00:00Z', ['2027-10-31T00:30:00.000Z', '2027-11-01T01:30:00.000Z']],
    ['Europe/Berlin', '*/30 2 * * *', '2027-10-30T12:00:00Z', ['2027-10-31T00:00:00.000Z', '2027-10-31T00:30:00.000Z', '2027-11-01T01:00:00.000Z']],
    ['Europe/Berlin', '*/30 * * * *', '2027-10-30T23:40:00Z', ['2027-10-31T00:00:00.000Z', '2027-10-31T00:30:00.000Z', '2027-10-31T02:00:00.000Z']],
    ['America/New_York', '30 1 * * *', '2027-11-06T12:00:00Z', ['2027-11-07T05:30:00.000Z', '2027-11-08T06:30:00.000Z']],
    ['Australia/Lord_Howe', '45 1 * * *', '2027-04-02T20:00:00Z', ['2027-04-03T14:45:00.000Z', '2027-04-04T15:15:00.000Z']],
  ])('[INTENT-022] whose local time repeats in %s runs once: %s', (timeZone, schedule, from, expected) => {
    expect(runs(schedule, timeZone, from, expected.length)).toEqual(expected);
  });

  it('runs at the minute of every day that the wall clock shows, once each, and never else', () => {
    const from = fc.integer({ min: Date.UTC(2026, 0), max: Date.UTC(2029, 0) }).map((ms) => Math.floor(ms / MINUTE) * MINUTE);
    fc.assert(
      fc.property(zone, fc.integer({ min: 0, max: 59 }), fc.integer({ min: 0, max: 23 }), from, (timeZone, minute, hour, start) => {
        const times = runs(`${minute} ${hour} * * *`, timeZone, new Date(start).toISOString(), 4).map(Date.parse);
        expect(times.length).toBe(4);
        for (const [index, time] of times.entries()) {
          const wall = new Date(wallTime(timeZone, time));
          const wanted = Date.UTC(wall.getUTCFullYear(), wall.getUTCMonth(), wall.getUTCDate(), hour, minute);
          // Later than wanted only if the wanted time is none of this zone's clock.
          if (wanted !== wall.getTime()) for (let at = time - 90 * MINUTE; at < time; at += MINUTE) expect(wallTime(timeZone, at)).not.toBe(wanted);
          if (index > 0) expect(wallTime(timeZone, time) - wallTime(timeZone, times[index - 1]!)).toBeGreaterThan(22 * 3_600_000);
        }
      }),
      { numRuns: 150 },
    );
  });

  it('of a step runs at the first moment that shows each of its minutes, or at the end of the gap that skips some', () => {
    const found = { gap: 0, overlap: 0 };
    fc.assert(
      fc.property(zone, fc.constantFrom(10, 15, 20, 30), around, (timeZone, step, after) => {
        const end = after.getTime() + 6 * 60 * MINUTE;
        const wanted: string[] = [];
        // The latest time that the clock has shown so far, also before the start: a time is new once, however often it is shown.
        let latest = wallTime(timeZone, after.getTime());
        for (let at = after.getTime() - 3 * 60 * MINUTE; at < after.getTime(); at += MINUTE) latest = Math.max(latest, wallTime(timeZone, at));
        for (let at = after.getTime() + MINUTE; at <= end; at += MINUTE) {
          const wall = wallTime(timeZone, at);
          const due = Math.floor(wall / (step * MINUTE)) * step * MINUTE;
          if (due > latest) wanted.push(new Date(at).toISOString());
          if (wall - latest > MINUTE) found.gap++;
          if (wall < latest) found.overlap++;
          latest = Math.max(latest, wall);
        }
        expect(runs(`*/${step} * * * *`, timeZone, after.toISOString(), wanted.length)).toEqual(wanted);
      }),
      { numRuns: 300, examples: [['Europe/Berlin', 15, new Date('2027-03-28T00:00:00Z')], ['Europe/Berlin', 15, new Date('2027-10-30T23:00:00Z')], ['America/New_York', 10, new Date('2027-11-07T06:00:00Z')]] },
    );
    expect(Math.min(found.gap, found.overlap)).toBeGreaterThan(0);
  });

  it('is not left to the cron library in a zone: that one loses steps in a gap and repeats them in an overlap', () => {
    const library = (schedule: string, from: string) => new Cron(schedule, { timezone: 'Europe/Berlin', paused: true }).nextRun(new Date(from))?.toISOString();
    expect(library('*/15 2 * * *', '2027-03-27T12:00:00Z')).toBe('2027-03-29T00:00:00.000Z');
    expect(library('*/30 * * * *', '2027-10-31T00:30:00Z')).toBe('2027-10-31T01:00:00.000Z');
  });

  it.each([
    ['0 0 30 2 *', 'UTC', 'No such date ever comes'], ['0 0 31 4 *', 'UTC', 'No such date ever comes'], ['often', 'UTC', 'Must be five cron fields, or six with seconds in front'],
    ['0 25 * * *', 'UTC', 'Must be a cron schedule: '], ['@never', 'UTC', 'Must be five cron fields, or six with seconds in front'],
    ['0 0 * * *', 'Mars/Base', 'Mars/Base is no time zone'],
    ['9-5/2 3 * * *', 'UTC', 'Must be a cron schedule: '], ['2027-05-01T00:00:00', 'UTC', 'Must be five cron fields, or six with seconds in front'],
  ])('that cannot be kept says why: %s in %s', (expression, timeZone, problem) => {
    expect(cronProblem(expression, timeZone, new Date('2026-01-01T00:00:00Z'))).toContain(problem);
  });

  it('is kept on the leap day', () => {
    expect(cronProblem('0 0 29 2 *', 'UTC', new Date('2026-01-01T00:00:00Z'))).toBeUndefined();
  });
});
