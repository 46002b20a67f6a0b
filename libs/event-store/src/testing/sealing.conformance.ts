import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Recorded, SealedPayloads } from '@app/kernel';
import fc from 'fast-check';
import type { EventStore } from '../event-store';
import type { SealingOptions } from '../sealing/payload-sealer';
import { join, split } from '../sealing/sealed-payloads';
import { ForgetfulPayloads } from './forgetful-payloads';
import { catalogue, collect, collectPages, command, move, newStream, note, take } from './samples';
import type { StoreUnderTest } from './event-store.conformance';

const payloads: SealedPayloads = {
  Noted: { fields: { text: 'text' }, subject: (_data, streamId) => `stream:${streamId}` },
  NoteTagged: { fields: { tags: 'list' }, subject: (_data, _streamId, { runId }) => (runId === undefined ? undefined : `run:${runId}`) },
  NoteRenamed: { fields: { title: 'json' }, subject: (_data, streamId) => `stream:${streamId}` },
};

/** What every adapter promises of sealed data. */
export const sealingContract = (name: string, open: (testCatalogue: typeof catalogue, sealing: SealingOptions) => Promise<StoreUnderTest>) =>
  describe(`Sealed data: ${name}`, () => {
    const subjects = new ForgetfulPayloads();
    let opened: StoreUnderTest;
    let store: EventStore;
    beforeAll(async () => {
      opened = await open(catalogue, { payloads, subjects, forgetting: ['CounterMoved'] });
      ({ store } = opened);
    });
    afterAll(() => opened.close());

    const write = async (streamId: string, ...events: Parameters<EventStore['append']>[0][number]['events']) => {
      const done = await store.append([{ streamId, expected: 'any', events }], [], command());
      if (!done.ok) throw new Error(JSON.stringify(done));
    };
    const texts = (events: readonly Recorded[]) => events.map(({ data }) => (data as { text: string }).text);

    it('is read as it was written, beside what stays open', async () => {
      const streamId = newStream();
      await write(streamId, note('hush', 7), { type: 'NoteRenamed', data: { title: 'A', by: 'Ada' } });
      const events = await collect(store.read(streamId));
      expect(events.map(({ data }) => data)).toEqual([{ text: 'hush', n: 7 }, { title: 'A', by: 'Ada' }]);
      expect(events.every(({ forgotten }) => forgotten === undefined)).toBe(true);
      expect((await collectPages(store.readAll(0n, { filter: { streamId } }))).map(({ data }) => data)).toEqual(events.map(({ data }) => data));
      expect(subjects.made.filter((each) => each === `stream:${streamId}`)).toHaveLength(1);
    });

    it('is not sealed where there is no subject, or nothing to seal', async () => {
      const streamId = newStream();
      const before = subjects.made.length;
      await write(streamId, { type: 'NoteTagged', data: { tags: ['plain'] } });
      await store.append([{ streamId, expected: 'any', events: [{ type: 'NoteTagged', data: { tags: [] } }] }], [], command({ runId: 'run_empty' }));
      expect(subjects.made).toHaveLength(before);
      expect((await collect(store.read(streamId))).map(({ data }) => data)).toEqual([{ tags: ['plain'] }, { tags: [] }]);
    });

    it('reads as forgotten once the key is gone, and everything else reads on', async () => {
      const [gone, kept] = [newStream(), newStream()];
      await write(gone, note('hush', 7), { type: 'NoteRenamed', data: { title: 'A', by: 'Ada' } });
      await store.append([{ streamId: kept, expected: 'any', events: [note('loud'), { type: 'NoteTagged', data: { tags: ['x'] } }] }], [], command({ runId: 'run_1' }));
      subjects.forget(`stream:${gone}`);
      subjects.forget('run:run_1');
      const events = await collect(store.read(gone));
      expect(events.map(({ data, forgotten }) => [data, forgotten])).toEqual([[{ text: '[forgotten]', n: 7 }, true], [{ title: { forgotten: true }, by: 'Ada' }, true]]);
      expect((await collect(store.read(kept))).map(({ data, forgotten }) => [data, forgotten])).toEqual([[{ text: 'loud' }, undefined], [{ tags: [] }, true]]);
    });

    it('is handed out from no memory behind an event that makes forget', async () => {
      const streamId = newStream();
      const before = await store.head();
      const enough = new AbortController();
      const watched = (async () => { for await (const page of store.follow(before, { signal: enough.signal })) void page; })();
      await write(streamId, note('secret of the hour'));
      await take(1, store.follow(before));
      subjects.forget(`stream:${streamId}`);
      await write(newStream('counter'), move());
      await take(2, store.follow(before));
      expect(texts((await take(2, store.follow(before))).slice(0, 1))).toEqual(['[forgotten]']);
      enough.abort();
      await watched;
    });

    it('is checked like any other before it is sealed', async () => {
      const refused = await store.append([{ streamId: newStream(), expected: 'any', events: [note('a\u0000b')] }], [], command());
      expect(refused).toMatchObject({ ok: false, kind: 'invalid' });
      const large = await store.append([{ streamId: newStream(), expected: 'any', events: [note('x'.repeat(1024 * 1024))] }], [], command());
      expect(large).toMatchObject({ ok: false, kind: 'invalid' });
    });

    it('comes back whole for any data and any fields', () => {
      const data = fc.dictionary(fc.constantFrom('a', 'b', 'c'), fc.oneof(fc.jsonValue(), fc.dictionary(fc.constantFrom('x', 'y'), fc.jsonValue())));
      const fields = fc.uniqueArray(fc.constantFrom('a', 'b.x', 'c.y', 'b.y', 'z'));
      fc.assert(
        fc.property(data, fields, (given, names) => {
          const parts = split(given, Object.fromEntries(names.map((name) => [name, 'json' as const])));
          if (parts) expect(join(parts.open, parts.hidden)).toEqual(given);
        }),
      );
    });
  });
