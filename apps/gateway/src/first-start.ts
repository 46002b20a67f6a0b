import { Logger } from '@nestjs/common';
import type { Bus } from '@app/cqrs';
import { CreateCollection, CreateItem } from '@app/content/contract';
import { newEventId, type EventStore } from '@app/event-store';
import { governance, registrationsDue, rolesDue, type CoreTools } from '@app/governance/contract';
import { accept, idOf, type Context, type Outcome } from '@app/kernel';
import { DEMO_COLLECTION, DEMO_PRODUCTS } from '@app/sdk';
import { CreateSite } from '@app/sites';
import type { Pool } from 'pg';
import type { Config } from './config';
import type { Resources } from './resources';

export const FIRST_SITE = 'site_demo';

const contextOf = (step: string): Context => ({
  actor: { kind: 'service', id: 'server' }, siteId: FIRST_SITE, now: new Date(), correlationId: newEventId(), commandId: `first-start:${step}`, repeatable: true,
});

const done = <T>(outcome: Outcome<T>): T => {
  if (outcome.ok) return outcome.data;
  throw new Error(`The first start failed: ${outcome.rejection.detail}`);
};

/** Gateways that start at the same moment queue here: one makes the site, the others find it. A killed one leaves the queue with its session. */
const QUEUE = 'SELECT pg_advisory_lock(4411305720261130)';

export type FirstStart = {
  readonly config: Config;
  readonly pool: Pool;
  readonly store: EventStore;
  readonly bus: Bus;
  /** Called at once with the key, whose hash alone is stored, so that a start killed while it seeds has shown it already. */
  readonly showKey: (key: string) => void;
};

/** On an empty log: the first site with its admin and, unless switched off, the demo content. */
export const firstStart = async ({ config: { seed, bootstrapKey }, pool, store, bus, showKey }: FirstStart): Promise<void> => {
  const queue = await pool.connect();
  try {
    await queue.query(QUEUE);
    if ((await store.head()) > 0n) return;
    const { adminKey } = done(await bus.send(new CreateSite({ name: 'Demo' }, contextOf('site'), { siteId: FIRST_SITE, adminKey: bootstrapKey })));
    if (adminKey !== null) showKey(adminKey);
    if (seed === 'demo') await seedDemo(bus);
  } finally {
    queue.release(true);
  }
};

const seedDemo = async (bus: Bus) => {
  done(await bus.send(new CreateCollection(DEMO_COLLECTION, contextOf('collection'))));
  for (const [index, data] of DEMO_PRODUCTS.entries()) {
    done(await bus.send(new CreateItem({ collection: DEMO_COLLECTION.name, data }, contextOf(`item-${index}`))));
  }
};

/** Every site, also one made by an older program, learns of the tools and roles that this one brings or defines anew. */
export const registerCoreTools = async ({ executor, pool }: Pick<Resources, 'executor' | 'pool'>, { definitions }: CoreTools): Promise<void> => {
  const { rows } = await pool.query<{ stream_id: string }>(`SELECT stream_id FROM es_stream WHERE stream_id >= 'governance-' AND stream_id < 'governance.'`);
  for (const siteId of rows.map((row) => idOf(row.stream_id))) {
    const context = { ...contextOf(''), siteId, commandId: newEventId(), repeatable: false };
    const registered = await executor.execute({ governance: { aggregate: governance, id: siteId } }, context, ({ governance: state }) =>
      state.status === 'none' ? accept({}) : accept({ governance: [...registrationsDue(state, definitions), ...rolesDue(state)] }),
    );
    if (!registered.ok) new Logger('Tools').warn(`Site ${siteId}: ${registered.rejection.detail}`);
  }
};
