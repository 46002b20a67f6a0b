import { afterEach } from '@jest/globals';
import { SecretUnavailable, type SecretResolver } from '@app/vault';
import { rawServer, rawTool, type RawServer } from '../testing';
import type { Address, ConnectionOptions } from './open-client';
import { Upstream } from './upstream';

export const never = new AbortController().signal;

/** The message that a failing piece of work ends with. */
export const failure = (work: Promise<unknown>): Promise<string> => work.then(() => 'no failure', (error: Error) => error.message);

/** Connections to servers of a spec; everything that was opened is closed after each test. The one secret is called `key`. */
export const connections = () => {
  const opened: { close(): Promise<unknown> }[] = [];
  let key = 'opens-sesame-4711';
  const secrets: SecretResolver = {
    resolve: (_site, reference) => (reference === 'secret://key' ? Promise.resolve(key) : Promise.reject(new SecretUnavailable(`${reference} is not set`))),
  };
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((each) => each.close()));
  });
  return {
    opened,
    rotate: (value: string) => (key = value),
    at: (transport: Address['transport'], more: Partial<Address> = {}, options: Partial<ConnectionOptions> = {}, clock?: () => number): Upstream => {
      const upstream = new Upstream({ siteId: 'site_a', server: 'up', transport, allowHosts: ['127.0.0.1'], ...more }, { secrets, stdio: true, ...options }, clock);
      opened.push(upstream);
      return upstream;
    },
    raw: async (tools: readonly unknown[] = [rawTool('echo')]): Promise<RawServer> => {
      const server = await rawServer(tools);
      opened.push(server);
      return server;
    },
    call: async (upstream: Upstream, name = 'echo', input: Record<string, unknown> = {}, signal = never): Promise<unknown> =>
      upstream.call((await upstream.offered(name, signal))!.tool, input, { key: 'k' }, signal),
  };
};
