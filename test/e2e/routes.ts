import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { FastifyInstance, RouteOptions } from 'fastify';

export type Route = { readonly method: string; readonly path: string };

const CHANNEL = 'fastify.initialization';

/** Whatever routers are born while `start` runs: every route they were given, as the router knows it. HEAD and OPTIONS go by themselves. */
export const recordingRoutes = async <T>(start: () => Promise<T>): Promise<readonly [T, readonly Route[]]> => {
  const routes: Route[] = [];
  const onBirth = (message: unknown) => {
    (message as { fastify: FastifyInstance }).fastify.addHook('onRoute', ({ method, url }: RouteOptions) => {
      routes.push(...[method].flat().filter((name) => !['HEAD', 'OPTIONS'].includes(name)).map((name) => ({ method: name, path: url })));
    });
  };
  subscribe(CHANNEL, onBirth);
  try {
    return [await start(), routes];
  } finally {
    unsubscribe(CHANNEL, onBirth);
  }
};
