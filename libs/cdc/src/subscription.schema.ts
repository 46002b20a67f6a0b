import { maskSecrets } from '@app/vault/contract';
import { z } from 'zod';

export const SubscriptionName = z.string().trim().min(1).max(200);

/** Text, because positions pass 2^53. The first event of the log is at 1. */
export const Position = z.string().regex(/^[1-9]\d{0,17}$/, 'Must be a position of the log, e.g. "1"');

const SecretReference = z.string().regex(/^secret:\/\/[A-Za-z0-9_.-]{1,64}$/, 'Must look like secret://name');
/** An address is in the log for good, and is shown. */
const withoutSecret = (text: string) => !maskSecrets(text).changed;
const withoutCredentials = (text: string) => !/^https?:\/\/[^/?#]*@/i.test(text);

/** The end of a subject: what stands before it names the site. */
export const Topic = z
  .string()
  .regex(/^[A-Za-z0-9_.-]{1,100}$/, 'Must be of letters, digits, - and _, in parts with dots between them, e.g. search.index')
  .refine((text) => !text.split('.').includes(''), 'Must have something on both sides of a dot');

/** Only a host and a port: a path, a user or a query would be nobody's to read. */
const isReceiver = (text: string) => {
  if (!URL.canParse(text)) return false;
  const { hostname, port, pathname, href } = new URL(text);
  return hostname !== '' && port !== '' && port !== '0' && pathname === '' && !/[@?#%]/.test(href);
};

/** Where a syslog receiver listens: by TLS (RFC 5425) or by plain TCP (RFC 6587). */
export const SyslogAddress = z.string().max(300).regex(/^(tls|tcp):\/\/[^/\s]+$/, 'Must look like tls://host:6514 or tcp://host:601').refine(isReceiver, 'Must name a host and a port and nothing else');

/**
 * Where events go. To a webhook: `secret` names what deliveries are signed with; a value of `secret://name` may also stand in the path or query of the URL. To NATS: to the
 * subject `cdc.<siteId>.<topic>`. To a syslog receiver: as RFC 5424 messages.
 */
export const SubscriptionTarget = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('webhook'),
    url: z.url({ protocol: /^https?$/ }).max(2_000).refine(withoutCredentials, 'Must not carry a user name or a password; name a secret instead').refine(withoutSecret, 'Must not hold a secret itself; name it as secret://name instead'),
    secret: SecretReference.optional(),
  }),
  z.strictObject({ type: z.literal('nats'), topic: Topic }),
  z.strictObject({ type: z.literal('syslog'), address: SyslogAddress }),
]);
export type SubscriptionTarget = z.infer<typeof SubscriptionTarget>;

/** Which events of the site: every given condition must hold; none means all of them. */
export const SubscriptionFilter = z.strictObject({
  types: z.array(z.string().regex(/^[A-Z][A-Za-z]{2,63}$/, 'Must be an event type, e.g. ItemPatched')).min(1).max(100).optional(),
  categories: z.array(z.string().regex(/^[a-z][a-z-]{1,31}$/, 'Must be a category of streams, e.g. item')).min(1).max(50).optional(),
});
export type SubscriptionFilter = z.infer<typeof SubscriptionFilter>;

/**
 * How an event is written. `cloudevents`: CloudEvents 1.0, in JSON. `json` and `cef` are the audit feed: the event as the log holds it, as `GET audit/events` shows it or as a
 * line of the Common Event Format; what is sealed stays sealed.
 */
export const EventFormat = z.enum(['cloudevents', 'json', 'cef']);
export type EventFormat = z.infer<typeof EventFormat>;
