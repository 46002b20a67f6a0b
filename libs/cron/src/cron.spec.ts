import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { cronProblem, nextRun } from './cron';

const BERLIN = 'Europe/Berlin';
const runs = (expression: string, timeZone: string, after: string, count: number) => {
  const found: Date[] = [];
  for (let at = nextRun(expression, timeZone, new Date(after)); at && found.length < count; at = nextRun(expression, timeZone, at)) found.push(at);
  return found.map((at) => at.toISOString());
};

describe('A cron schedule', () => {
  it('is read in its zone', () => {
    expect(runs('0 9 * * 1', 'Asia/Tokyo', '2026-01-01T00:00:00Z', 2)).toEqual(['2026-01-05T00:00:00.000Z', '2026-01-12T00:00:00.000Z']);
    expect(runs('*/20 * * * * *', 'UTC', '2026-01-01T00:00:00Z', 2)).toEqual(['2026-01-01T00:00:20.000Z', '2026-01-01T00:00:40.000Z']);
  });

  it.each(['30 2 * * *', '0,30 2 * * *', '*/30 2 * * *', '0 */2 * * *', '* 2 * * *'])('runs at the next valid instant when its local time is skipped: %s', (expression) => {
    expect(runs(expression, BERLIN, '2026-03-29T00:30:00Z', 1)).toEqual(['2026-03-29T01:00:00.000Z']);
  });

  it('runs once when its local time comes twice', () => {
    expect(runs('30 2 * * *', BERLIN, '2026-10-24T12:00:00Z', 2)).toEqual(['2026-10-25T00:30:00.000Z', '2026-10-26T01:30:00.000Z']);
    expect(runs('*/30 2 * * *', BERLIN, '2026-10-24T12:00:00Z', 3)).toEqual(['2026-10-25T00:00:00.000Z', '2026-10-25T00:30:00.000Z', '2026-10-26T01:00:00.000Z']);
  });

  it('of every hour follows real time', () => {
    expect(runs('30 * * * *', BERLIN, '2026-10-25T00:00:00Z', 3)).toEqual(['2026-10-25T00:30:00.000Z', '2026-10-25T01:30:00.000Z', '2026-10-25T02:30:00.000Z']);
  });

  it.each([
    ['0 0 30 2 *', 'UTC', 'No such date ever comes'], ['0 0 31 4 *', 'UTC', 'No such date ever comes'], ['often', 'UTC', 'Must be five cron fields, or six with seconds in front'],
    ['0 25 * * *', 'UTC', 'Must be a cron schedule: '], ['@daily', 'UTC', 'Must be five cron fields, or six with seconds in front'], ['0 0 * * *', 'Mars/Base', 'Mars/Base is no time zone'],
    ['9-5/2 3 * * *', 'UTC', 'Must be a cron schedule: '],
  ])('that cannot be kept says why: %s in %s', (expression, timeZone, problem) => {
    expect(cronProblem(expression, timeZone, new Date('2026-01-01T00:00:00Z'))).toContain(problem);
  });

  it('is kept on the leap day', () => {
    expect(cronProblem('0 0 29 2 *', 'UTC', new Date('2026-01-01T00:00:00Z'))).toBeUndefined();
  });

  it('always comes due later than asked, at a minute that it names', () => {
    const zone = fc.constantFrom('UTC', BERLIN, 'America/New_York', 'Asia/Kolkata', 'Australia/Lord_Howe');
    const minute = fc.integer({ min: 0, max: 59 });
    const when = fc.date({ min: new Date('2020-01-01'), max: new Date('2035-01-01'), noInvalidDate: true });
    fc.assert(
      fc.property(zone, minute, when, (timeZone, nr, after) => {
        const next = nextRun(`${nr} * * * *`, timeZone, after)!;
        expect(next.getTime()).toBeGreaterThan(after.getTime());
        expect(next.getTime() - after.getTime()).toBeLessThanOrEqual(2 * 3_600_000);
        expect(Number(new Intl.DateTimeFormat('en', { timeZone, minute: 'numeric' }).format(next))).toBe(nr);
      }),
      { numRuns: 200 },
    );
  });
});
