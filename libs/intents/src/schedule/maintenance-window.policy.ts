import { instantOf, isTimeZone, offsetOf, transition, wallTime } from '@app/cron/contract';
import type { MaintenanceWindow } from '../intent.schema';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

type Window = MaintenanceWindow['windows'][number];

const minutesOf = (clock: string) => Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3));
const dayOf = (wall: number) => Math.floor(wall / DAY) * DAY;
const dowOf = (wall: number) => new Date(wall).getUTCDay();

/** A window counts for the day it starts on; its part after midnight is on the next one. */
const covers = ({ dow, start, end }: Window, wall: number): boolean => {
  const [from, to, today] = [minutesOf(start) * MINUTE, minutesOf(end) * MINUTE, wall - dayOf(wall)];
  const day = dow % 7;
  if (from < to) return dowOf(wall) === day && from <= today && today < to;
  return (dowOf(wall) === day && today >= from) || (dowOf(wall) === (day + 1) % 7 && today < to);
};

/**
 * Whether work is allowed at an instant: always without windows, else while the zone's wall clock shows a time inside one of them. With a
 * zone that nobody knows, the windows mean nothing and work is allowed.
 */
export const isOpen = (window: MaintenanceWindow | undefined, at: Date): boolean => {
  if (!window || !isTimeZone(window.tz)) return true;
  const wall = wallTime(window.tz, at.getTime());
  return window.windows.some((each) => covers(each, wall));
};

/** The first moment from `at` on that is inside a window. A week and a day hold every start there is, and every change of the clocks in it is looked at. */
export const nextOpening = (window: MaintenanceWindow, at: Date): Date => {
  if (isOpen(window, at)) return at;
  const { tz, windows } = window;
  const now = at.getTime();
  const candidates: number[] = [];
  const today = dayOf(wallTime(tz, now));
  for (let day = 0; day <= 15; day++) {
    const midnight = today + day * DAY;
    for (const { dow, start } of windows) if (dowOf(midnight) === dow % 7) candidates.push(instantOf(tz, midnight + minutesOf(start) * MINUTE));
    const [from, to] = [now + day * DAY, now + (day + 1) * DAY];
    // A clock that is set back may show a time inside a window again.
    if (offsetOf(tz, from) !== offsetOf(tz, to)) candidates.push(transition(tz, from, to));
  }
  const openings = candidates.filter((instant) => instant > now && isOpen(window, new Date(instant)));
  // A window can fall into the hour that is skipped, once: the week after has it.
  return new Date(Math.min(...openings));
};
