import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** A module of the built product: what runs is what ships. */
export const product = (dist: string) => ({
  database: () => load<typeof import('@app/database')>(dist, 'libs/database/src/index.js'),
  eventStore: () => load<typeof import('@app/event-store')>(dist, 'libs/event-store/src/index.js'),
  projections: () => load<typeof import('@app/projections')>(dist, 'libs/projections/src/index.js'),
  composition: () => load<typeof import('../../apps/gateway/src/composition')>(dist, 'apps/gateway/src/composition.js'),
});

const load = <Module>(dist: string, file: string): Promise<Module> => import(pathToFileURL(join(dist, file)).href) as Promise<Module>;
