import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** A module of the built product: what runs is what ships. */
export const product = (dist: string) => ({
  database: () => load<typeof import('@app/database')>(dist, 'libs/database/src/index.js'),
  eventStore: () => load<typeof import('@app/event-store')>(dist, 'libs/event-store/src/index.js'),
  nats: () => load<typeof import('@app/nats')>(dist, 'libs/nats/src/index.js'),
  sdkNats: () => load<typeof import('@app/sdk/nats')>(dist, 'libs/sdk/src/nats/index.js'),
  projections: () => load<typeof import('@app/projections')>(dist, 'libs/projections/src/index.js'),
  toolCalls: () => load<typeof import('@app/tool-calls/contract')>(dist, 'libs/tool-calls/src/contract.js'),
  governance: () => load<typeof import('@app/governance/contract')>(dist, 'libs/governance/src/contract.js'),
  runs: () => load<typeof import('@app/runs/contract')>(dist, 'libs/runs/src/contract.js'),
  jsonSchema: () => load<typeof import('@app/json-schema')>(dist, 'libs/json-schema/src/index.js'),
  skills: () => load<typeof import('@app/skills')>(dist, 'libs/skills/src/index.js'),
  server: async () => ({
    ...(await load<typeof import('../../apps/gateway/src/config')>(dist, 'apps/gateway/src/config.js')),
    ...(await load<typeof import('../../apps/gateway/src/server')>(dist, 'apps/gateway/src/server.js')),
  }),
  vault: () => load<typeof import('@app/vault')>(dist, 'libs/vault/src/index.js'),
  sealing: () => load<typeof import('../../apps/gateway/src/sealed-payloads')>(dist, 'apps/gateway/src/sealed-payloads.js'),
  composition: () => load<typeof import('../../apps/gateway/src/composition')>(dist, 'apps/gateway/src/composition.js'),
});

const load = <Module>(dist: string, file: string): Promise<Module> => import(pathToFileURL(join(dist, file)).href) as Promise<Module>;
