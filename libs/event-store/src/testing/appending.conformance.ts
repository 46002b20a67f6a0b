import { describe, expect, it } from '@jest/globals';
import type { EventStore, NewEvent } from '../event-store';
import { newEventId } from '../ids';
import { collect, command, move, newStream, note } from './samples';

/** What an append does, promise by promise. */
export const appendingContract = (store: () => EventStore) =>
  describe('appending', () => {
    const seeded = async (events = 2) => {
      const streamId = newStream();
      await store().append([{ streamId, expected: 'none', events: Array.from({ length: events }, (_, i) => note(`event ${i + 1}`)) }], [], command());
      return streamId;
    };
    const lengthOf = async (streamId: string) => (await collect(store().read(streamId))).length;

    it('[LOG-001] commits all events of several streams, or none of them', async () => {
      const [a, b] = [newStream(), newStream('counter')];
      const both = [{ streamId: a, expected: 'none' as const, events: [note(), note()] }, { streamId: b, expected: 'none' as const, events: [move()] }];
      expect(await store().append(both, [], command())).toMatchObject({ ok: true });
      const head = await store().head();
      const half = [{ streamId: a, expected: 2, events: [note()] }, { streamId: b, expected: 7, events: [move()] }];
      expect(await store().append(half, [], command())).toEqual({ ok: false, kind: 'conflict', streamId: b, expected: 7, actual: 1 });
      expect([await lengthOf(a), await lengthOf(b), await store().head()]).toEqual([2, 1, head]);
    });

    it('[LOG-002] refuses another numeric expected version than the stream has', async () => {
      const streamId = await seeded();
      for (const expected of [0, 1, 3, 1000]) {
        expect(await store().append([{ streamId, expected, events: [note()] }], [], command())).toEqual({ ok: false, kind: 'conflict', streamId, expected, actual: 2 });
      }
      expect(await store().append([{ streamId, expected: 2, events: [note()] }], [], command())).toMatchObject({ ok: true, versions: { [streamId]: 3 } });
    });

    it('[LOG-003] refuses `none` when the stream exists', async () => {
      const streamId = await seeded();
      expect(await store().append([{ streamId, expected: 'none', events: [note()] }], [], command())).toEqual({ ok: false, kind: 'conflict', streamId, expected: 'none', actual: 2 });
    });

    it('[LOG-004] accepts `any` whatever the version is', async () => {
      const streamId = newStream();
      for (const version of [1, 2, 3]) {
        expect(await store().append([{ streamId, expected: 'any', events: [note()] }], [], command())).toMatchObject({ ok: true, versions: { [streamId]: version } });
      }
    });

    it('[LOG-005] refuses and writes nothing when a guarded stream has moved', async () => {
      const guarded = await seeded();
      const streamId = newStream();
      const write = [{ streamId, expected: 'none' as const, events: [note()] }];
      for (const version of [0, 1, 3]) {
        expect(await store().append(write, [{ streamId: guarded, version }], command())).toEqual({ ok: false, kind: 'conflict', streamId: guarded, expected: version, actual: 2 });
      }
      expect(await lengthOf(streamId)).toBe(0);
      expect(await store().append(write, [{ streamId: guarded, version: 2 }, { streamId: newStream(), version: 0 }], command())).toMatchObject({ ok: true });
    });

    it('[LOG-006] returns the position of the last event and the new version of every stream', async () => {
      const [a, b] = [await seeded(), newStream('counter')];
      const head = await store().head();
      const result = await store().append([{ streamId: a, expected: 2, events: [note()] }, { streamId: b, expected: 'none', events: [move(), move()] }], [], command());
      expect(result).toEqual({ ok: true, position: head + 3n, versions: { [a]: 3, [b]: 2 }, repeated: false });
      expect((await collect(store().read(b))).at(-1)?.position).toBe(head + 3n);
    });

    it('[LOG-011] head is the position of the last committed event', async () => {
      const before = await store().head();
      await seeded(3);
      expect(await store().head()).toBe(before + 3n);
    });

    it('[LOG-019] answers a repeated command with the recorded result and adds no event', async () => {
      const streamId = newStream();
      const context = command({ repeatable: true });
      const first = await store().append([{ streamId, expected: 'any', events: [note('once')] }], [], context);
      await store().append([{ streamId, expected: 1, events: [note('later')] }], [], command());
      const again = await store().append([{ streamId, expected: 'any', events: [note('twice')] }], [{ streamId, version: 0 }], context);
      expect(again).toEqual({ ...first, repeated: true });
      expect((await collect(store().read(streamId))).map(({ data }) => (data as { text: string }).text)).toEqual(['once', 'later']);
    });

    it('remembers what a repeatable command was answered, and nothing else', async () => {
      const streamId = newStream();
      const context = command({ repeatable: true });
      expect(await store().recorded(context)).toBeNull();
      const first = await store().append([{ streamId, expected: 'any', events: [note()] }], [], context);
      expect(await store().recorded(context)).toEqual({ ...first, repeated: true });
      expect(await store().recorded(command())).toBeNull();
    });

    it('[LOG-019] stores one of many racing copies of a repeatable command', async () => {
      const streamId = newStream();
      const context = command({ repeatable: true });
      const results = await Promise.all(Array.from({ length: 20 }, () => store().append([{ streamId, expected: 'any', events: [note()] }], [], context)));
      expect(results.filter((result) => result.ok && !result.repeated)).toHaveLength(1);
      expect(new Set(results.map((result) => result.ok && result.position)).size).toBe(1);
      expect(await lengthOf(streamId)).toBe(1);
    });

    it('[LOG-048] accepts only stream ids of the form <category>-<id>, in the category of the type, and UUIDv7 event ids', async () => {
      const problems = async (streamId: string, event: NewEvent = note()) => {
        const result = await store().append([{ streamId, expected: 'any', events: [event] }], [], command());
        return result.ok ? [] : result.kind === 'invalid' ? result.problems.map(({ path }) => path) : [result.kind];
      };
      for (const streamId of ['note', '-1', 'note-', 'counter-1', 'note-\u0000', 'note-\ud800', 'note-"', 'note-\u001f', `note-${'x'.repeat(600)}`]) {
        expect(await problems(streamId)).toContain('/streamId');
      }
      expect(await problems(newStream(), { ...note(), eventId: '7f0c1f3e-0c1d-4c53-9c80-6d6a3dbb5d52' })).toEqual(['/eventId']);
      const streamId = newStream();
      const eventId = newEventId();
      expect(await problems(streamId, { ...note(), eventId })).toEqual([]);
      expect(await problems(streamId)).toEqual([]);
      const [given, made] = await collect(store().read(streamId));
      expect(given?.eventId).toBe(eventId);
      expect(made?.eventId).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    });

    it('[LOG-049] refuses an unknown type, an unknown schema version and data that fail the schema', async () => {
      const streamId = newStream();
      const refused: [NewEvent, string][] = [
        [{ type: 'Nothing', data: {} }, '/type'],
        [{ ...note(), schemaVersion: 2 }, '/schemaVersion'],
        [{ type: 'NoteRenamed', data: { name: 'old shape' }, schemaVersion: 1 }, '/schemaVersion'],
        [{ type: 'Noted', data: { text: 1 } }, '/data/text'],
      ];
      for (const [event, path] of refused) {
        expect(await store().append([{ streamId, expected: 'any', events: [note(), event] }], [], command())).toMatchObject({ ok: false, kind: 'invalid', problems: [{ path }] });
      }
      expect(await lengthOf(streamId)).toBe(0);
    });

    it('refuses what no log can hold: NUL, half surrogate pairs, no events, a stream twice, oversized events', async () => {
      const streamId = newStream();
      const kindOf = async (events: readonly NewEvent[]) => {
        const result = await store().append([{ streamId, expected: 'any', events }], [], command());
        return result.ok || result.kind;
      };
      expect(await kindOf([note('a\u0000b')])).toBe('invalid');
      expect(await kindOf([note('half \ud83d of a pair')])).toBe('invalid');
      expect(await kindOf([])).toBe('invalid');
      expect(await kindOf([note('x'.repeat(1024 * 1024))])).toBe('invalid');
      const twice = [{ streamId, expected: 'any' as const, events: [note()] }, { streamId, expected: 'any' as const, events: [note()] }];
      expect(await store().append(twice, [], command())).toMatchObject({ ok: false, kind: 'invalid' });
      expect(await lengthOf(streamId)).toBe(0);
      expect(await kindOf([note('\\u0000 as text, \u001f escaped, whole pairs \ud83d\ude00, \u2028')])).toBe(true);
      expect((await collect(store().read(streamId)))[0]?.data).toEqual({ text: '\\u0000 as text, \u001f escaped, whole pairs \ud83d\ude00, \u2028' });
    });
  });
