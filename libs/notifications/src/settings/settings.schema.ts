import { z } from 'zod';
import { KINDS } from '../notification.schema';

/** What reaches a person beside the inbox, which holds everything. */
export const PERSONAL_SINKS = ['email', 'push'] as const;
export const CHANNEL_TYPES = ['slack', 'webhook'] as const;

const Kinds = z.array(z.enum(KINDS)).max(KINDS.length).transform((kinds) => [...new Set(kinds)]);
const Time = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'Hours and minutes, such as 22:00');
const timeZone = z.string().max(64).refine((name) => isTimeZone(name), 'The name of a time zone, such as Europe/Berlin');
const isTimeZone = (name: string): boolean => {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone.length > 0;
  } catch {
    return false;
  }
};

/** `from` may be later than `to`: then they last over midnight. */
export const QuietHours = z.strictObject({ from: Time, to: Time, timeZone });
export type QuietHours = Readonly<z.infer<typeof QuietHours>>;

/**
 * What a person wants to hear, and how. In quiet hours nothing is sent; what came meanwhile is sent at their end. With `digestMinutes` e-mails are collected
 * into one message for so long.
 */
export const Preferences = z.strictObject({
  email: z.email().max(254).nullable().default(null),
  kinds: z.strictObject({ email: Kinds.default([]), push: Kinds.default([...KINDS]) }).default({ email: [], push: [...KINDS] }),
  quietHours: QuietHours.nullable().default(null),
  digestMinutes: z.int().min(1).max(1_440).nullable().default(null),
});
export type Preferences = Readonly<z.infer<typeof Preferences>>;

/**
 * A place of the whole site that is told. `url` may name a secret of the site. `decidesAs` is the person whose links a card carries, so whoever can read the channel
 * decides in that name; without it a card has no links.
 */
export const Channel = z.strictObject({
  name: z.string().regex(/^[a-z0-9][a-z0-9-]{0,39}$/, 'Lower-case letters, digits and dashes'),
  type: z.enum(CHANNEL_TYPES),
  url: z.string().regex(/^https?:\/\/\S+$/, 'An http or https address').max(2_000),
  kinds: Kinds.default([...KINDS]),
  secret: z.string().regex(/^secret:\/\/[A-Za-z0-9_.-]{1,64}$/).optional(),
  decidesAs: z.string().min(1).max(128).optional(),
}).meta({ id: 'NotificationChannel' });
export type Channel = Readonly<z.infer<typeof Channel>>;

export const MAX_CHANNELS = 20;
export const Channels = z.array(Channel).max(MAX_CHANNELS).refine((list) => new Set(list.map(({ name }) => name)).size === list.length, 'Names must differ');

/** As a browser hands it out: RFC 8030, with the keys of RFC 8291. */
export const PushSubscription = z.strictObject({
  endpoint: z.url({ protocol: /^https?$/ }).max(2_000),
  expirationTime: z.number().nullable().optional(),
  keys: z.strictObject({ p256dh: z.string().regex(/^[\w-]{80,100}={0,2}$/), auth: z.string().regex(/^[\w-]{20,30}={0,2}$/) }),
});
export type PushSubscription = Readonly<z.infer<typeof PushSubscription>>;
