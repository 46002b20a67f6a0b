import { Global, Module } from '@nestjs/common';
import { CqrsModule } from '@app/cqrs';
import { EventStore, Executor, InMemoryEventStore, States } from '@app/event-store';
import { KnownKeys, principalOf, startHttp } from '@app/http/testing';
import { Catalogue } from '@app/kernel';
import { InMemoryReadModels, ReadModels, type AnyProjection } from '@app/projections';
import { ContentModule, contentEvents, contentProjections } from '..';

const keys = new KnownKeys({
  hk_ada: principalOf({ capabilities: ['*'] }),
  hk_bob: principalOf({ id: 'key_bob', siteId: 'site_b', sites: ['site_b'], capabilities: ['*'] }),
  hk_reader: principalOf({ id: 'key_reader', capabilities: ['schema:read', 'items:read'] }),
  hk_robot: principalOf({ id: 'key_robot', kind: 'agent', capabilities: ['*'] }),
  hk_job: principalOf({ id: 'key_job', kind: 'service', capabilities: ['*'] }),
});

/** `facts` and `code` are there when the answer is a problem. */
export type Answered<Data> = {
  readonly status: number;
  readonly etag: string | null;
  readonly data: Data;
  readonly nextCursor: string | null;
  readonly position: string;
  readonly code: string;
  readonly facts: { readonly errors: readonly { readonly pointer: string }[]; readonly version: number };
  /** The body as it came. */
  readonly text: string;
};
type Sent = { readonly key?: string; readonly ifMatch?: number; readonly body?: unknown };

export type Platform = { readonly store: EventStore; readonly reads: ReadModels; close(): Promise<void> };

export const catalogue = new Catalogue(...contentEvents);
export const projections = contentProjections as unknown as readonly AnyProjection[];

/** A log and read models that live as long as the process. */
export const inMemory = (): Promise<Platform> => {
  const store = new InMemoryEventStore({ catalogue });
  const reads = new InMemoryReadModels(projections);
  const stop = new AbortController();
  const following = (async () => {
    for await (const page of store.follow(0n, { signal: stop.signal })) reads.apply(page);
  })();
  const close = async () => {
    stop.abort();
    await following;
  };
  return Promise.resolve({ store, reads, close });
};

/** The capability behind the real HTTP edge. */
export const runningContent = async (open: () => Promise<Platform> = inMemory) => {
  const { store, reads, close } = await open();
  const providers = [
    { provide: EventStore, useValue: store },
    { provide: Executor, useValue: new Executor(store, new States(store)) },
    { provide: ReadModels, useValue: reads },
  ];
  @Global()
  @Module({ providers, exports: providers })
  class PlatformModule {}
  const http = await startHttp({ imports: [CqrsModule, PlatformModule, ContentModule] }, { authenticator: keys });

  /** Sends a request as ada of site_a, or with another key. */
  const send = async <Data>(method: string, path: string, { key = 'hk_ada', ifMatch, body }: Sent = {}): Promise<Answered<Data>> => {
    const answer = await http.request(`/api/v1${path}`, {
      method,
      headers: {
        authorization: `Bearer ${key}`,
        ...(ifMatch !== undefined && { 'if-match': `"${ifMatch}"` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    return { ...(JSON.parse(text) as Answered<Data>), status: answer.status, etag: answer.headers.get('etag'), text };
  };

  return {
    store,
    send,
    close: async () => {
      await http.close();
      await close();
    },
  };
};
export type RunningContent = Awaited<ReturnType<typeof runningContent>>;
