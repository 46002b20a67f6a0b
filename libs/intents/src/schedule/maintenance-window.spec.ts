import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { MaintenanceWindow } from '../intent.schema';
import { isOpen, nextOpening } from './maintenance-window.policy';

const at = (instant: string) => new Date(instant);
const window = (tz: string, ...windows: MaintenanceWindow['windows']): MaintenanceWindow => ({ tz, windows });
const openAt = (given: MaintenanceWindow, ...instants: string[]) => instants.map((instant) => isOpen(given, at(instant)));

const steps = (from: number, to: number, minutes: number) => Array.from({ length: Math.max(0, Math.ceil((to - from) / (minutes * 60_000))) }, (_, nr) => from + nr * minutes * 60_000);

describe('A maintenance window', () => {
  it('[INTENT-017] has a zone and windows with day, start and end; days count from Sunday, and 7 is Sunday, too', () => {
    const sunday = { start: '10:00', end: '12:00' };
    expect(MaintenanceWindow.safeParse(window('UTC', { dow: 0, ...sunday }, { dow: 7, ...sunday })).success).toBe(true);
    for (const wrong of [{ dow: 8, ...sunday }, { dow: -1, ...sunday }, { dow: 0.5, ...sunday }, { dow: 0, start: '10:00' }, { dow: 0, start: '25:00', end: '12:00' }, { dow: 0, start: '10:00', end: '10:00' }]) {
      expect(MaintenanceWindow.safeParse({ tz: 'UTC', windows: [wrong] }).success).toBe(false);
    }
    expect(MaintenanceWindow.safeParse({ windows: [{ dow: 0, ...sunday }] }).success).toBe(false);
    // 2027-01-10 is a Sunday.
    for (const dow of [0, 7]) expect(openAt(window('UTC', { dow, ...sunday }), '2027-01-10T09:59:59Z', '2027-01-10T10:00:00Z', '2027-01-10T11:59:59Z', '2027-01-10T12:00:00Z', '2027-01-11T10:30:00Z')).toEqual([false, true, true, false, false]);
    expect(openAt(window('UTC', { dow: 3, start: '00:00', end: '24:00' }), '2027-01-12T23:59:59Z', '2027-01-13T00:00:00Z', '2027-01-13T23:59:59Z', '2027-01-14T00:00:00Z')).toEqual([false, true, true, false]);
  });

  it('[INTENT-018] that ends before it starts spans midnight, belongs to the day it starts on, and may span the end of the week', () => {
    const saturday = window('UTC', { dow: 6, start: '22:00', end: '02:00' });
    expect(openAt(saturday, '2027-01-09T01:00:00Z', '2027-01-09T21:59:59Z', '2027-01-09T22:00:00Z', '2027-01-10T00:00:00Z', '2027-01-10T01:59:59Z', '2027-01-10T02:00:00Z', '2027-01-10T22:30:00Z')).toEqual([false, false, true, true, true, false, false]);
    expect(openAt(window('UTC', { dow: 7, start: '23:00', end: '01:00' }), '2027-01-10T00:30:00Z', '2027-01-10T23:30:00Z', '2027-01-11T00:30:00Z')).toEqual([false, true, true]);
  });

  it('[INTENT-019] follows the daylight saving of its zone', () => {
    const berlin = window('Europe/Berlin', { dow: 0, start: '01:00', end: '04:00' });
    // The same window is three hours long on any Sunday, two when the clock goes forward and four when it goes back.
    const minutesOpen = (day: string) => Array.from({ length: 36 * 60 }, (_, minute) => isOpen(berlin, new Date(Date.parse(`${day}T12:00:00Z`) - 24 * 3_600_000 + minute * 60_000))).filter(Boolean).length;
    expect([minutesOpen('2027-03-21'), minutesOpen('2027-03-28'), minutesOpen('2027-10-31')]).toEqual([180, 120, 240]);
    expect(openAt(berlin, '2027-01-10T00:00:00Z', '2027-07-11T00:00:00Z', '2027-07-10T23:00:00Z', '2027-01-09T23:00:00Z')).toEqual([true, true, true, false]);
    expect(nextOpening(berlin, at('2027-03-27T12:00:00Z')).toISOString()).toBe('2027-03-28T00:00:00.000Z');
    expect(nextOpening(berlin, at('2027-10-30T12:00:00Z')).toISOString()).toBe('2027-10-30T23:00:00.000Z');
    const inTheGap = window('Europe/Berlin', { dow: 0, start: '02:15', end: '02:45' });
    expect(nextOpening(inTheGap, at('2027-03-27T12:00:00Z')).toISOString()).toBe('2027-04-04T00:15:00.000Z');
    const intoTheGap = window('Europe/Berlin', { dow: 0, start: '02:30', end: '03:30' });
    expect(nextOpening(intoTheGap, at('2027-03-27T12:00:00Z')).toISOString()).toBe('2027-03-28T01:00:00.000Z');
    const twice = window('Europe/Berlin', { dow: 0, start: '02:00', end: '02:30' });
    expect(nextOpening(twice, at('2027-10-31T00:40:00Z')).toISOString()).toBe('2027-10-31T01:00:00.000Z');
    expect(openAt(window('Australia/Lord_Howe', { dow: 0, start: '01:30', end: '02:00' }), '2027-04-03T14:30:00Z', '2027-04-03T14:59:59Z', '2027-04-03T15:00:00Z', '2027-04-03T15:29:59Z', '2027-04-03T15:30:00Z')).toEqual([true, true, true, true, false]);
  });

  it('counts for nothing in a zone that nobody knows, and when there is none', () => {
    expect([isOpen(window('Mars/Base', { dow: 0, start: '10:00', end: '11:00' }), at('2027-01-11T00:00:00Z')), isOpen(undefined, at('2027-01-11T00:00:00Z'))]).toEqual([true, true]);
  });

  it('opens next at the first minute from now on at which it is open', () => {
    const clock = fc.tuple(fc.integer({ min: 0, max: 23 }), fc.integer({ min: 0, max: 59 })).map(([hour, minute]) => `${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`);
    const one = fc.record({ dow: fc.integer({ min: 0, max: 7 }), start: clock, end: clock }).filter(({ start, end }) => start !== end);
    // Days around changes of the clocks, and others.
    const days = fc.constantFrom('2027-03-26', '2027-03-28', '2027-10-29', '2027-10-31', '2027-04-02', '2027-10-01', '2027-03-13', '2027-11-06', '2027-06-15');
    fc.assert(
      fc.property(fc.constantFrom('Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'UTC'), fc.array(one, { minLength: 1, maxLength: 3 }), days, fc.integer({ min: 0, max: 1439 }), (tz, windows, day, minute) => {
        const given = window(tz, ...windows);
        const now = new Date(Date.parse(`${day}T00:00:00Z`) + minute * 60_000);
        const opens = nextOpening(given, now).getTime();
        expect(isOpen(given, new Date(opens))).toBe(true);
        // Every minute of the last half hour, and one of every 47 before.
        const minutes = [...steps(now.getTime(), opens, 47), ...steps(Math.max(now.getTime(), opens - 30 * 60_000), opens, 1)];
        expect(minutes.filter((each) => isOpen(given, new Date(each)))).toEqual([]);
      }),
      { numRuns: 120 },
    );
  });
});
