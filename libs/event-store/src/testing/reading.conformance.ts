import { createHash } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import type { EventStore } from '../event-store';
import { canonicalJson } from '../chain/canonical';
import { collect, collectPages, command, move, newStream, note, take } from './samples';

/** What readers and followers see. */
export const readingContract = (store: () => EventStore) =>
  describe('reading', () => {
    const append = async (streamId: string, texts: readonly string[], siteId = 'site_a') => {
      const events = texts.map((text) => (streamId.startsWith('counter') ? move(text.length) : note(text)));
      const result = await store().append([{ streamId, expected: 'any', events }], [], command({ siteId }));
      if (!result.ok) throw new Error(JSON.stringify(result));
      return result.position;
    };

    it('[LOG-008] read gives the events of a stream in version order from a version on', async () => {
      const streamId = newStream();
      for (let i = 0; i < 5; i++) await append(streamId, [`${i}a`, `${i}b`]);
      await append(newStream(), ['elsewhere']);
      const all = await collect(store().read(streamId));
      expect(all.map(({ version }) => version)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
      expect(all.map(({ data }) => (data as { text: string }).text)).toEqual(['0a', '0b', '1a', '1b', '2a', '2b', '3a', '3b', '4a', '4b']);
      expect((await collect(store().read(streamId, 8))).map(({ version }) => version)).toEqual([8, 9, 10]);
      expect(await collect(store().read(streamId, 11))).toEqual([]);
      expect(await collect(store().read(newStream()))).toEqual([]);
    });

    it('[LOG-008] read pages through a stream of many pages', async () => {
      const streamId = newStream();
      for (let i = 0; i < 5; i++) await append(streamId, Array.from({ length: 500 }, (_, n) => `${i}.${n}`));
      expect((await collect(store().read(streamId))).map(({ version }) => version)).toEqual(Array.from({ length: 2_500 }, (_, i) => i + 1));
    });

    it('[LOG-009] readAll gives matching events in position order from a position on', async () => {
      const start = await store().head();
      const [a, b, counter] = [newStream(), newStream(), newStream('counter')];
      await append(a, ['1', '2']);
      await append(b, ['3'], 'site_b');
      await append(counter, ['4']);
      await append(a, ['5'], 'site_b');
      const streams = async (filter?: Parameters<EventStore['readAll']>[1]) => (await collectPages(store().readAll(start, { pageSize: 2, ...filter }))).map(({ streamId }) => streamId);
      expect(await streams()).toEqual([a, a, b, counter, a]);
      expect(await streams({ filter: { siteId: 'site_b' } })).toEqual([b, a]);
      expect(await streams({ filter: { streamId: a } })).toEqual([a, a, a]);
      expect(await streams({ filter: { categories: ['counter'] } })).toEqual([counter]);
      expect(await streams({ filter: { types: ['Noted'] } })).toEqual([a, a, b, a]);
      expect(await streams({ filter: { types: ['Noted'], siteId: 'site_b', categories: ['note', 'counter'] } })).toEqual([b, a]);
      expect(await streams({ filter: { types: ['NoteTagged'] } })).toEqual([]);
      const positions = (await collectPages(store().readAll(start + 1n, { pageSize: 2 }))).map(({ position }) => position - start);
      expect(positions).toEqual([2n, 3n, 4n, 5n]);
      expect(await collectPages(store().readAll(start + 5n))).toEqual([]);
    });

    it('readAll ends at the head of the moment it was asked, and at the abort of its signal', async () => {
      const start = await store().head();
      const streamId = newStream();
      await append(streamId, ['1', '2', '3', '4']);
      const pages = store().readAll(start, { pageSize: 2 })[Symbol.asyncIterator]();
      await pages.next();
      await append(streamId, ['5']);
      expect((await pages.next()).value?.map(({ version }: { version: number }) => version)).toEqual([3, 4]);
      expect((await pages.next()).done).toBe(true);
      const stop = new AbortController();
      const seen: bigint[] = [];
      for await (const page of store().readAll(start, { pageSize: 1, signal: stop.signal })) {
        seen.push(...page.map(({ position }) => position));
        stop.abort();
      }
      expect(seen).toEqual([start + 1n]);
    });

    it('[LOG-046] [LOG-047] an event carries its whole envelope, metadata and chain fields', async () => {
      const streamId = newStream();
      const context = command({
        actor: { kind: 'agent', id: 'key_1', role: 'editor' }, siteId: 'site_b', correlationId: 'corr-9', causationId: 'cause-9', commandId: 'cmd-9',
        traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01', runId: 'run_1', goalId: 'goal_1', now: new Date('2030-02-03T04:05:06.007Z'),
      });
      const first = (await store().head()) + 1n;
      await store().append([{ streamId, expected: 'none', events: [note('a', 1), note('b')] }], [], context);
      const events = await collect(store().read(streamId));
      const metadata = {
        actor: { kind: 'agent', id: 'key_1', role: 'editor' }, correlationId: 'corr-9', causationId: 'cause-9', commandId: 'cmd-9',
        traceparent: context.traceparent, runId: 'run_1', goalId: 'goal_1',
      };
      const envelope = { type: 'Noted', streamId, schemaVersion: 1, siteId: 'site_b', occurredAt: '2030-02-03T04:05:06.007Z', metadata };
      expect(events).toMatchObject([{ ...envelope, position: first, version: 1, data: { text: 'a', n: 1 } }, { ...envelope, position: first + 1n, version: 2, data: { text: 'b' } }]);
      for (const { chain, ...event } of events) {
        const leaf = createHash('sha256').update(canonicalJson({ ...event, position: String(event.position) })).digest('hex');
        expect(chain.leaf).toBe(leaf);
        expect(chain.batch <= first).toBe(true);
        expect(Object.keys(event).sort()).toEqual(['data', 'eventId', 'metadata', 'occurredAt', 'position', 'schemaVersion', 'siteId', 'streamId', 'type', 'version']);
      }
    });

    it('[LOG-047] metadata leaves out what the command did not have', async () => {
      const streamId = newStream();
      const context = command();
      await store().append([{ streamId, expected: 'none', events: [note()] }], [], context);
      const [event] = await collect(store().read(streamId));
      expect(event?.metadata).toEqual({ actor: context.actor, correlationId: context.correlationId, commandId: context.commandId });
    });

    it('versions answers every asked stream, 0 where there is none', async () => {
      const [a, none] = [newStream(), newStream()];
      await append(a, ['1', '2']);
      expect(await store().versions([a, none, a])).toEqual(new Map([[a, 2], [none, 0]]));
      expect(await store().versions([])).toEqual(new Map());
    });

    it('follow gives history and then new events, without a hole or a repeat', async () => {
      const start = await store().head();
      const streamId = newStream();
      await append(streamId, Array.from({ length: 50 }, (_, i) => `old ${i}`));
      const followed = take(250, store().follow(start, { pageSize: 7 }));
      for (let i = 0; i < 100; i++) await append(streamId, [`new ${i}`, `more ${i}`]);
      expect((await followed).map(({ position }) => position)).toEqual(Array.from({ length: 250 }, (_, i) => start + BigInt(i + 1)));
    });

    it('follow filters, and ends at the abort of its signal', async () => {
      const start = await store().head();
      const [a, b] = [newStream(), newStream()];
      const stop = new AbortController();
      const seen: string[] = [];
      const followed = (async () => {
        for await (const page of store().follow(start, { filter: { streamId: b }, signal: stop.signal })) {
          seen.push(...page.map(({ data }) => (data as { text: string }).text));
          if (seen.includes('last')) stop.abort();
        }
      })();
      for (let i = 0; i < 20; i++) await Promise.all([append(a, ['noise']), append(b, [`${i}`])]);
      await append(b, ['last']);
      await followed;
      expect(seen).toEqual([...Array.from({ length: 20 }, (_, i) => `${i}`), 'last']);
    });

    it('follow ends at once when the signal aborts while it waits', async () => {
      const stop = new AbortController();
      const waiting = take(1, store().follow(await store().head(), { signal: stop.signal }));
      setImmediate(() => stop.abort());
      expect(await waiting).toEqual([]);
    });
  });
