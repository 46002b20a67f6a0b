import { z } from 'zod';

export const SubscriptionName = z.string().trim().min(1).max(200);

/** Text, because positions pass 2^53. The first event of the log is at 1. */
export const Position = z.string().regex(/^[1-9]\d{0,17}$/, 'Must be a position of the log, e.g. "1"');

const SecretReference = z.string().regex(/^secret:\/\/[A-Za-z0-9_.-]{1,64}$/, 'Must look like secret://name');
const withoutCredentials = (text: string) => !/^https?:\/\/[^/?#]*@/i.test(text);

/** Where events go. `secret` names what deliveries are signed with; a value of `secret://name` may also stand in the path or query of the URL. */
export const SubscriptionTarget = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('webhook'),
    url: z.url({ protocol: /^https?$/ }).max(2_000).refine(withoutCredentials, 'Must not carry a user name or a password; name a secret instead'),
    secret: SecretReference.optional(),
  }),
]);
export type SubscriptionTarget = z.infer<typeof SubscriptionTarget>;

/** Which events of the site: every given condition must hold; none means all of them. */
export const SubscriptionFilter = z.strictObject({
  types: z.array(z.string().regex(/^[A-Z][A-Za-z]{2,63}$/, 'Must be an event type, e.g. ItemPatched')).min(1).max(100).optional(),
  categories: z.array(z.string().regex(/^[a-z][a-z-]{1,31}$/, 'Must be a category of streams, e.g. item')).min(1).max(50).optional(),
});
export type SubscriptionFilter = z.infer<typeof SubscriptionFilter>;
