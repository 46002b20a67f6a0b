import { describe, expect, it } from '@jest/globals';
import { nextRun, scheduleProblem, zoneOf } from './schedule';

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

  it('[INTENT-023] with a date that never comes is refused, as is one that is none', () => {
    for (const never of ['0 0 31 2 *', '0 0 30 2 *', '0 0 31 4,6,9,11 *']) expect(scheduleProblem(never)).toBe('No such date ever comes');
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
