import { expect, it } from '@jest/globals';
import { until } from './until';
import type { World } from './world';

const HOUR = 3_600_000;

export const scheduleContract = ({ opened }: World) => {
  it('calls a schedule at its times, once each, and makes up for none that passed unseen', async () => {
    const world = opened();
    const due = (ms: number) => new Date(Math.floor(world.now().getTime() / HOUR) * HOUR + ms).toISOString();
    const [first, third] = [due(HOUR), due(3 * HOUR + HOUR)];
    const fired: string[] = [];
    world.queue.schedule('hourly', '0 * * * *', 'UTC', async (at) => void fired.push(at.toISOString()));
    await world.advance(HOUR);
    await until(() => fired.length, (count) => count === 1);
    expect(fired).toEqual([first]);
    // Asleep over the second and third full hour: the one it waited for comes late, the other not at all.
    await world.advance(2 * HOUR);
    await until(() => fired.length, (count) => count === 2);
    await world.advance(HOUR);
    await until(() => fired.length, (count) => count === 3);
    expect(fired.at(-1)).toBe(third);
  });

  it('reads the times in the time zone', async () => {
    const world = opened();
    const fired: Date[] = [];
    world.queue.schedule('noon-in-tokyo', '0 12 * * *', 'Asia/Tokyo', async (at) => void fired.push(at));
    await world.advance(24 * HOUR);
    await until(() => fired.length, (count) => count === 1);
    expect(fired[0]!.toISOString()).toMatch(/T03:00:00\.000Z$/);
  });

  it('refuses an expression or a time zone that means nothing, at once', () => {
    const { queue } = opened();
    expect(() => queue.schedule('bad', '61 * * * *', 'UTC', async () => undefined)).toThrow();
    expect(() => queue.schedule('bad', '* * * * *', 'Moon/Base', async () => undefined)).toThrow();
    expect(() => queue.schedule('bad', '0 0 30 2 *', 'UTC', async () => undefined)).toThrow('has no time to come');
  });
};
