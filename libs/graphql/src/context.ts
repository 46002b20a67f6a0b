import type { Caller } from '@app/http';
import type { RecordLoader } from './records/record-loader';

/** Who asks, and what a request of theirs has gathered. One for each request over HTTP, one for each connection of a subscriber. */
export type Session = {
  readonly caller: Caller;
  /** What a call to a route carries on: the key, the site, and what belongs together. */
  readonly headers: Readonly<Record<string, string>>;
  readonly records: RecordLoader;
  /** Subscriptions that are open. */
  live: number;
};

export type GraphqlContext = { readonly session: Session };

const CARRIED = ['authorization', 'x-api-key', 'x-site-id', 'x-min-position', 'idempotency-key', 'traceparent'] as const;

/** The headers of a request that its calls to routes carry as well. */
export const carriedHeaders = (headers: Readonly<Record<string, string | string[] | undefined>>, correlationId: string): Record<string, string> => ({
  'x-correlation-id': correlationId,
  ...Object.fromEntries(CARRIED.flatMap((name) => (typeof headers[name] === 'string' ? [[name, headers[name]]] : []))),
});
