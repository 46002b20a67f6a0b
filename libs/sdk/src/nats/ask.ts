import { errors, headers, type NatsConnection } from '@nats-io/transport-node';
import { RPC_PREFIX } from '@app/nats/contract';
import { HarnessError, type HarnessProblem } from '../connection/error';

export type Asker = {
  readonly connection: NatsConnection;
  /** An API key, or the token of a run. */
  readonly key: string;
  /** For a key of several sites. */
  readonly siteId?: string | undefined;
};

export type AskOptions = { readonly idempotencyKey?: string | undefined; readonly timeoutMs?: number | undefined };

type Packet<T> = { readonly response?: T; readonly err?: HarnessProblem };

const TIMEOUT_MS = 60_000;

/** Sends a command by name and gives its answer; every failure is a `HarnessError` with the same codes as over HTTP. */
export const ask = async <T>({ connection, key, siteId }: Asker, name: string, data: unknown, { idempotencyKey, timeoutMs: timeout = TIMEOUT_MS }: AskOptions = {}): Promise<T> => {
  const header = headers();
  header.set('Authorization', `Bearer ${key}`);
  if (siteId !== undefined) header.set('X-Site-Id', siteId);
  if (idempotencyKey !== undefined) header.set('Idempotency-Key', idempotencyKey);
  const pattern = `${RPC_PREFIX}${name}`;
  const message = await connection.request(pattern, JSON.stringify({ id: crypto.randomUUID(), pattern, data }), { timeout, headers: header }).catch((cause: unknown) => {
    const late = cause instanceof errors.TimeoutError;
    throw new HarnessError({ status: 0, code: late ? 'TIMEOUT' : 'NETWORK', detail: late ? `No answer within ${timeout} ms` : `No server answers at ${pattern}`, cause });
  });
  const { response, err } = message.json<Packet<T>>();
  if (err !== undefined) throw new HarnessError(err);
  return response as T;
};
