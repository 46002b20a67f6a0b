import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { TamperedLog } from './testing/tampered-log';
import { verifyChain } from './verify';

const SIZES = [1, 2, 7, 1, 5, 3, 16, 4];
const EVENTS = SIZES.reduce((sum, size) => sum + size);
const FIRSTS = SIZES.map((_, i) => SIZES.slice(0, i).reduce((sum, size) => sum + size, 1));

/** `from` is the first position that can be blamed: where the change is, or the start of its batch. */
type Tampering = { readonly what: string; readonly from: number; readonly do: (log: TamperedLog) => Promise<unknown> };

const position = fc.integer({ min: 1, max: EVENTS });
const batch = fc.constantFrom(...FIRSTS);
const batchOf = (at: number) => FIRSTS.findLast((first) => first <= at)!;

const TEXTS = ['stream_id', 'type', 'site_id', 'data', 'metadata'];
const NUMBERS = ['version', 'occurred_ms', 'batch', 'schema_version'];

const changedText = fc.record({ at: position, column: fc.constantFrom(...TEXTS), place: fc.nat(400), by: fc.integer({ min: 1, max: 90 }) }).map(
  ({ at, column, place, by }): Tampering => ({
    what: `one character of ${column} at ${at}`, from: batchOf(at),
    do: (log) => log.tamper(
      `UPDATE es_event SET ${column} = overlay(${column} placing chr(33 + (ascii(substr(${column}, $2 % length(${column}) + 1, 1)) + $3 - 33) % 91) from $2 % length(${column}) + 1 for 1)
       WHERE position = $1`, [at, place, by]),
  }));
const changedNumber = fc.record({ at: position, column: fc.constantFrom(...NUMBERS), by: fc.integer({ min: -1_000, max: 1_000 }).filter((n) => n !== 0) }).map(
  ({ at, column, by }): Tampering => ({ what: `${column} at ${at} by ${by}`, from: batchOf(at), do: (log) => log.tamper(`UPDATE es_event SET ${column} = ${column} + $2 WHERE position = $1`, [at, by]) }));
const changedLeaf = fc.record({ at: position, bit: fc.nat(255) }).map(
  ({ at, bit }): Tampering => ({ what: `bit ${bit} of the leaf at ${at}`, from: batchOf(at), do: (log) => log.tamper('UPDATE es_event SET leaf = set_bit(leaf, $2, 1 - get_bit(leaf, $2)) WHERE position = $1', [at, bit]) }));
const changedId = position.map((at): Tampering => ({ what: `the id at ${at}`, from: batchOf(at), do: (log) => log.tamper('UPDATE es_event SET event_id = gen_random_uuid() WHERE position = $1', [at]) }));
const changedLink = fc.record({ first: batch, column: fc.constantFrom('root', 'previous', 'chain'), bit: fc.nat(255) }).map(
  ({ first, column, bit }): Tampering => ({ what: `bit ${bit} of ${column} at ${first}`, from: first, do: (log) => log.tamper(`UPDATE es_batch SET ${column} = set_bit(${column}, $2, 1 - get_bit(${column}, $2)) WHERE first_position = $1`, [first, bit]) }));
const changedExtent = fc.record({ first: batch, by: fc.integer({ min: -3, max: 100 }).filter((n) => n !== 0) }).map(
  ({ first, by }): Tampering => ({ what: `the end of ${first} by ${by}`, from: first, do: (log) => log.tamper('UPDATE es_batch SET last_position = last_position + $2 WHERE first_position = $1', [first, by]) }));
const changedStart = fc.record({ first: batch, by: fc.constantFrom(1_000, -1_000) }).map(
  ({ first, by }): Tampering => ({ what: `the start of ${first} by ${by}`, from: by < 0 ? first + by : first, do: (log) => log.tamper('UPDATE es_batch SET first_position = first_position + $2 WHERE first_position = $1', [first, by]) }));

const deletedEvent = fc.record({ at: position, closed: fc.boolean() }).map(({ at, closed }): Tampering => ({
  what: `event ${at} deleted${closed ? ', the others moved up' : ''}`, from: batchOf(at),
  do: async (log) => { await log.tamper('DELETE FROM es_event WHERE position = $1', [at]); if (closed) await log.renumber(at + 1, -1); },
}));
const deletedBatch = fc.record({ first: batch, events: fc.boolean() }).filter(({ first, events }) => !events || first !== FIRSTS.at(-1)).map(({ first, events }): Tampering => ({
  what: `batch ${first} deleted${events ? ' with its events' : ''}`, from: first,
  do: async (log) => { await log.tamper('DELETE FROM es_batch WHERE first_position = $1', [first]); if (events) await log.tamper('DELETE FROM es_event WHERE batch = $1', [first]); },
}));

const swappedEvents = fc.tuple(position, position).filter(([a, b]) => a < b).map(([a, b]): Tampering => ({
  what: `events ${a} and ${b} swapped`, from: batchOf(a),
  do: async (log) => { await log.renumber(a, 1_000, a); await log.renumber(b, a - b, b); await log.renumber(a + 1_000, b - a - 1_000, a + 1_000); },
}));
const swappedLinks = fc.tuple(batch, batch).filter(([a, b]) => a < b).map(([a, b]): Tampering => ({
  what: `links ${a} and ${b} swapped`, from: a,
  do: (log) => log.tamper(`UPDATE es_batch b SET root = o.root, previous = o.previous, chain = o.chain FROM es_batch o
    WHERE b.first_position IN ($1, $2) AND o.first_position = $1::bigint + $2 - b.first_position`, [a, b]),
}));

const insertedEvent = fc.record({ at: fc.integer({ min: -2, max: EVENTS + 1 }), source: position }).map(({ at, source }): Tampering => ({
  what: `a copy of ${source} inserted at ${at}`, from: at > EVENTS ? at : Math.min(at, batchOf(Math.max(at, 1))),
  do: async (log) => {
    if (at > 0) await log.renumber(at, 1);
    await log.tamper(`INSERT INTO es_event SELECT $2, stream_id || '-copy', version, gen_random_uuid(), type, schema_version, site_id, occurred_ms, data, metadata, batch, leaf
      FROM es_event WHERE position = $1`, [at > 0 && source >= at ? source + 1 : source, at]);
  },
}));

const tampering = fc.oneof(
  changedText, changedNumber, changedLeaf, changedId, changedLink, changedExtent, changedStart, deletedEvent, deletedBatch, swappedEvents, swappedLinks, insertedEvent,
);

describe('Tampering with a log', () => {
  let log: TamperedLog;
  beforeAll(async () => {
    log = await TamperedLog.open();
    await log.write(...SIZES);
    await log.disarm();
  });
  afterAll(() => log.close());

  it('[AUDIT-011] by any single mutation, deletion, swap or insertion is detected, and nothing before it is blamed', async () => {
    await fc.assert(
      fc.asyncProperty(tampering, async ({ from, do: change }) => {
        await change(log);
        const verdict = await verifyChain(log.pool);
        await log.restore();
        expect(verdict.ok).toBe(false);
        if (!verdict.ok) expect(verdict.position).toBeGreaterThanOrEqual(BigInt(from));
      }),
      { numRuns: 150 },
    );
    expect(await verifyChain(log.pool)).toMatchObject({ ok: true, events: BigInt(EVENTS) });
  });
});
