import { newId, PostgresEventStore } from '@app/event-store';
import { catalogue } from '../../apps/gateway/src/composition';
import { until } from '../e2e/machine';
import { Processes, urlOf } from '../e2e/processes';
import { ADMIN_KEY, apiAt, type Body } from '../e2e/server';
import { startDatabase } from './database';
import { INSPECTED, memoryOf, type Memory } from './inspector';

export type Sample = { readonly after: string; readonly events: string } & Memory;
export type Scale = {
  readonly calls: number; readonly pending: number; readonly clients: number; readonly events: number;
  readonly runStatus: string; readonly heard: number; readonly seconds: number;
  /** Of the run, by calls; then the rest. */
  readonly ofRun: readonly (Sample & { readonly calls: number })[];
  readonly samples: readonly Sample[];
};
export type ScaleOptions = { readonly calls: number; readonly approvals: number; readonly clients: number; readonly events: number; readonly say: (line: string) => void };

const AT_ONCE = 8;
const WHILE_CONNECTED = 200;
const PER_APPEND = 1_000;
const CATCH_UP_MS = 1_800_000;

/** So many things by so many hands. */
const times = async (count: number, work: (nr: number) => Promise<unknown>): Promise<void> => {
  let next = 0;
  await Promise.all(Array.from({ length: AT_ONCE }, async () => {
    while (next < count) await work(next++);
  }));
};

/** What one server process with both roles holds while its log, a run, the approvals that wait and the listeners grow. */
export const measureScale = async ({ calls, approvals, clients, events, say }: ScaleOptions): Promise<Scale> => {
  const started = performance.now();
  const database = await startDatabase();
  const processes = new Processes();
  const listeners: AbortController[] = [];
  try {
    const server = await processes.start({ ...INSPECTED, DATABASE_URL: urlOf(database.connection), HARNESS_BOOTSTRAP_KEY: ADMIN_KEY, HARNESS_MASTER_KEY: 'ab'.repeat(32), LOG_LEVEL: 'error' });
    const api = apiAt(server.url)(ADMIN_KEY);
    const head = async () => (await database.pool.query<{ head: string }>('SELECT coalesce(max(position), 0)::text AS head FROM es_event')).rows[0]!.head;
    const caughtUp = () => until(async () => ((await api('GET', 'ops/projections')).body.data as Body[]).every(({ lagEvents, state }) => lagEvents === '0' && state === 'live'), () => 'the read models to catch up', CATCH_UP_MS);
    const samples: Sample[] = [];
    const sample = async (after: string): Promise<Sample> => {
      await caughtUp();
      const taken = { after, events: await head(), ...(await memoryOf(server)) };
      samples.push(taken);
      say(`${after}: resident ${(taken.residentBytes / 2 ** 20).toFixed(1)} MB, heap ${(taken.heapBytes / 2 ** 20).toFixed(1)} MB, ${taken.events} events`);
      return taken;
    };

    await sample('the start');
    const item = (await api('POST', 'items/products', { data: { sku: 'S-1', title: 'Read again and again' } })).body.data.id as string;
    const opened = (await api('POST', 'agent/goals', { title: 'Long', agentName: 'robot', budget: { maxToolCalls: calls, timeoutMs: 86_400_000 } })).body.data as { runId: string };
    const ofRun: (Sample & { readonly calls: number })[] = [];
    for (let done = 0; done < calls; done += calls / 10) {
      await times(calls / 10, async () => {
        const { body, text } = await api('POST', `agent/runs/${opened.runId}/tool-calls`, { tool: 'getItem', arguments: { collection: 'products', id: item } });
        if (body?.data?.status !== 'executed') throw new Error(text);
      });
      ofRun.push({ ...(await sample(`${done + calls / 10} calls of one run`)), calls: done + calls / 10 });
    }
    await api('POST', `agent/runs/${opened.runId}/complete`, {});
    const { status: runStatus, budgetUsed } = (await api('GET', `agent/runs/${opened.runId}`)).body.data as Body;

    const asking = (await api('POST', 'agent/goals', { title: 'Ask', agentName: 'robot', approvalPolicy: 'before_execute', budget: { maxToolCalls: approvals, timeoutMs: 86_400_000 } })).body.data as { runId: string };
    let pending = 0;
    let runId = asking.runId;
    // The runs of people's days are short: 100 questions each.
    for (let left = approvals; left > 0; left -= 100) {
      if (left < approvals) runId = (await api('POST', 'agent/goals', { title: 'Ask', agentName: 'robot', approvalPolicy: 'before_execute', budget: { maxToolCalls: 200, timeoutMs: 86_400_000 } })).body.data.runId as string;
      await times(Math.min(100, left), async (nr) => {
        const { body } = await api('POST', `agent/runs/${runId}/tool-calls`, { tool: 'createItem', arguments: { collection: 'products', data: { sku: 'S-2', title: `${left}-${nr}` } } });
        if (body?.data?.status === 'pending_approval') pending++;
      });
      if (left === approvals / 2) await sample(`${approvals / 2} approvals that wait`);
    }
    await sample(`${pending} approvals that wait`);

    let heard = 0;
    const after = await head();
    for (let nr = 0; nr < clients; nr++) {
      const listener = new AbortController();
      listeners.push(listener);
      const answer = await fetch(`${server.url}/api/v1/audit/stream?after=${after}`, { headers: { authorization: `Bearer ${ADMIN_KEY}` }, signal: listener.signal });
      if (answer.status !== 200) throw new Error(`Listener ${nr}: ${answer.status}`);
      void (async () => {
        for await (const chunk of answer.body!.pipeThrough(new TextDecoderStream())) heard += chunk.split('\nid:').length - (chunk.startsWith('id:') ? 0 : 1);
      })().catch(() => undefined);
    }
    await sample(`${clients} SSE clients`);
    for (const round of [1, 2]) {
      await times(WHILE_CONNECTED, (nr) => api('POST', 'items/products', { data: { sku: 'S-3', title: `${round}-${nr}` } }));
      await sample(`${clients} SSE clients and ${round * WHILE_CONNECTED} more events for each`);
    }
    for (const listener of listeners.splice(0)) listener.abort();
    await sample('the SSE clients left');

    const store = new PostgresEventStore({ connection: database.connection, catalogue });
    await store.start();
    const made = (await database.pool.query<{ data: string; metadata: string }>(`SELECT data FROM es_event WHERE type = 'ItemCreated' ORDER BY position LIMIT 1`)).rows[0]!;
    const like = JSON.parse(made.data) as Body;
    for (let at = BigInt(await head()), quarter = 1; at < BigInt(events); ) {
      const written = await store.append(
        Array.from({ length: PER_APPEND }, (_, nr) => {
          const itemId = newId('item');
          return { streamId: `item-${itemId}`, expected: 'none' as const, events: [{ type: 'ItemCreated', data: { ...like, data: { sku: 'S-4', title: `Grown ${nr}` } } }] };
        }),
        [], { actor: { kind: 'service', id: 'scale' }, siteId: 'site_demo', now: new Date(), correlationId: 'scale', commandId: `scale-${at}` },
      );
      if (!written.ok) throw new Error(JSON.stringify(written, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value)));
      at += BigInt(PER_APPEND);
      if (at >= BigInt(Math.floor((events * quarter) / 4))) {
        await sample(`${Math.round((events * quarter) / 4)} events`);
        quarter++;
      }
    }
    await store.close();
    return {
      calls: budgetUsed.toolCalls as number, pending, clients, events: Number(await head()), runStatus: runStatus as string, heard,
      seconds: Math.round((performance.now() - started) / 1_000), ofRun, samples,
    };
  } finally {
    for (const listener of listeners) listener.abort();
    await processes.cleanUp();
    await database.close();
  }
};
