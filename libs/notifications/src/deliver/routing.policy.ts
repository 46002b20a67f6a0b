import type { Notification } from '../notification.schema';
import type { QuietHours } from '../settings/settings.schema';
import type { NotifySettings } from '../settings/settings.state';

/** Where one message goes. */
export type Target =
  | { readonly sink: 'email'; readonly personId: string }
  | { readonly sink: 'push'; readonly personId: string; readonly subscriptionId: string }
  | { readonly sink: 'slack' | 'webhook'; readonly channel: string };

/** `collected`: it is sent together with whatever else goes to the same target at that time. */
export type Delivery = { readonly deliveryId: string; readonly target: Target; readonly notBefore: Date; readonly collected: boolean };

const MINUTE = 60_000;
const DAY_MINUTES = 1_440;

export const targetKey = (target: Target): string => ('channel' in target ? `${target.sink}:${target.channel}` : `${target.sink}:${target.personId}${target.sink === 'push' ? `:${target.subscriptionId}` : ''}`);

/** Everywhere a notification goes beside the inbox. The same event gives the same deliveries, however often it is looked at. */
export const deliveriesOf = (notification: Notification, { channels, people }: NotifySettings, now: Date): readonly Delivery[] => {
  const delivery = (target: Target, notBefore = now, collected = false): Delivery => ({ deliveryId: `${notification.kind}:${notification.id}:${targetKey(target)}`, target, notBefore, collected });
  const toChannels = channels.filter(({ kinds }) => kinds.includes(notification.kind)).map(({ type, name }) => delivery({ sink: type, channel: name }));
  const toPeople = Object.entries(people).flatMap(([personId, { kinds, sealedEmail, quietHours, digestMinutes, subscriptions }]) => {
    const awake = quietHours === null ? now : endOfQuiet(quietHours, now);
    const mail = sealedEmail !== null && kinds.email.includes(notification.kind) ? [delivery({ sink: 'email', personId }, digestMinutes === null ? awake : later(awake, endOfDigest(digestMinutes, now)), digestMinutes !== null)] : [];
    const pushes = kinds.push.includes(notification.kind) ? Object.keys(subscriptions).map((subscriptionId) => delivery({ sink: 'push', personId, subscriptionId }, awake)) : [];
    return [...mail, ...pushes];
  });
  return [...toChannels, ...toPeople];
};

const later = (a: Date, b: Date) => (a > b ? a : b);

/** Digests of all people with the same span end at the same moments, however often the process is restarted. */
const endOfDigest = (minutes: number, now: Date): Date => new Date((Math.floor(now.getTime() / (minutes * MINUTE)) + 1) * minutes * MINUTE);

/** Now, outside of the quiet hours; else their end on the clock of the zone. */
export const endOfQuiet = (hours: QuietHours, now: Date): Date => {
  let at = now;
  // A change of the clocks in between can put the end off once more.
  for (let turn = 0; turn < 3 && isQuiet(hours, at); turn++) at = new Date(Math.floor(at.getTime() / MINUTE) * MINUTE + minutesUntil(hours.to, hours.timeZone, at) * MINUTE);
  return at;
};

const isQuiet = ({ from, to, timeZone }: QuietHours, at: Date): boolean => {
  const [start, end, wall] = [minutesOf(from), minutesOf(to), wallMinutes(timeZone, at)];
  return start <= end ? wall >= start && wall < end : wall >= start || wall < end;
};

const minutesUntil = (time: string, timeZone: string, at: Date): number => (minutesOf(time) - wallMinutes(timeZone, at) + DAY_MINUTES) % DAY_MINUTES;

const minutesOf = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3));

const wallMinutes = (timeZone: string, at: Date): number => minutesOf(new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }).format(at));
