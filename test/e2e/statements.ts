import { AsyncLocalStorage } from 'node:async_hooks';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { join } from 'node:path';

type Client = { query(...given: readonly unknown[]): unknown };

const REQUEST = 'http.server.request.start';

/**
 * How many statements the server in this process sends to the database for the requests of which something is made. Whatever it does by itself in the
 * meantime does not count: a statement is told by the request in whose wake it was sent.
 */
export const statementsOf = async (what: () => Promise<unknown>): Promise<number> => {
  const { Client } = process.getBuiltinModule('module').createRequire(join(import.meta.dirname, 'statements.js'))('pg') as { Client: { prototype: Client } };
  const inRequest = new AsyncLocalStorage<true>();
  const enter = () => inRequest.enterWith(true);
  const { query } = Client.prototype;
  let count = 0;
  Client.prototype.query = function (this: Client, ...given) {
    if (inRequest.getStore()) count++;
    return query.apply(this, given as []);
  };
  subscribe(REQUEST, enter);
  try {
    await what();
    return count;
  } finally {
    unsubscribe(REQUEST, enter);
    Client.prototype.query = query;
  }
};
