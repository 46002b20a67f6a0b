import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import canonicalize from 'canonicalize';
import { createHash } from 'node:crypto';
import { collectPages } from '../testing/samples';
import { resealEvent } from './testing/rewrite';
import { TamperedLog } from './testing/tampered-log';
import { verifyChain } from './verify';

const sha256 = (...parts: Buffer[]) => createHash('sha256').update(Buffer.concat(parts)).digest();

/** Batches at 1, 2–6, 7–9, 10–12, 13–20, 21. */
const SIZES = [1, 5, 3, 3, 8, 1];

describe('Verifying the log', () => {
  let log: TamperedLog;
  beforeAll(async () => {
    log = await TamperedLog.open();
    await log.write(...SIZES);
    await log.disarm();
  });
  afterEach(() => log.restore());
  afterAll(() => log.close());

  const verify = () => verifyChain(log.pool);
  const textOf = (column: string, position: number, sql: string) => log.tamper(`UPDATE es_event SET ${column} = ${sql} WHERE position = ${position}`);

  it('finds a log that nobody touched intact', async () => {
    expect(await verify()).toMatchObject({ ok: true, events: 21n, batches: 6n, head: 21n, checkpoints: 0, signedUpTo: null });
  });

  it('[AUDIT-001] has as leaf the sha256 of the canonical JSON of the event, recomputed here from an export by another program', async () => {
    const exported = await collectPages(log.store.readAll(0n));
    for (const { chain, ...event } of exported) {
      expect(sha256(Buffer.from(canonicalize({ ...event, position: String(event.position) })!)).toString('hex')).toBe(chain.leaf);
    }
    expect(exported).toHaveLength(21);
  });

  it('[AUDIT-002] has one chain row for each flush, with the hash of the row before it, the root and both positions', async () => {
    const { rows } = await log.pool.query<{ first: string; last: string; root: Buffer; previous: Buffer; chain: Buffer }>(
      'SELECT first_position AS first, last_position AS last, root, previous, chain FROM es_batch ORDER BY 1');
    expect(rows.map(({ first, last }) => Number(last) - Number(first) + 1)).toEqual(SIZES);
    let previous: Buffer = Buffer.alloc(32);
    for (const row of rows) {
      const [first, last] = [Buffer.alloc(8), Buffer.alloc(8)];
      first.writeBigInt64BE(BigInt(row.first));
      last.writeBigInt64BE(BigInt(row.last));
      expect(row.previous).toEqual(previous);
      expect(row.chain).toEqual(sha256(previous, row.root, first, last));
      previous = row.chain;
    }
  });

  describe('after a stored event was changed', () => {
    it.each([
      ['data', `overlay(data placing 'X' from 12 for 1)`], ['metadata', `replace(metadata, 'key_ada', 'key_eve')`], ['type', `'NoteTagged'`],
      ['site_id', `'site_b'`], ['stream_id', `'note-other'`], ['version', 'version + 100'], ['schema_version', '2'], ['occurred_ms', 'occurred_ms + 1'],
      ['event_id', 'gen_random_uuid()'], ['leaf', 'set_byte(leaf, 31, (get_byte(leaf, 31) + 1) % 256)'], ['batch', '7'], ['occurred_ms', '9223372036854775807'],
    ])('[AUDIT-006] names its position, whichever column was changed: %s', async (column, sql) => {
      await textOf(column, 4, sql);
      expect(await verify()).toMatchObject({ ok: false, position: 4n, reason: 'changed_event' });
    });

    it('names the first position of the batch when the leaf was recomputed too', async () => {
      await textOf('data', 15, `'{"n":2,"text":"forged"}'`);
      await resealEvent(log, 15);
      expect(await verify()).toMatchObject({ ok: false, position: 13n, reason: 'changed_event' });
    });

    it('names the first of two changed events', async () => {
      await textOf('data', 17, `'{}'`);
      await textOf('data', 8, `'{}'`);
      expect(await verify()).toMatchObject({ ok: false, position: 8n, reason: 'changed_event' });
    });

    it('survives columns that were made NULL', async () => {
      await log.tamper('ALTER TABLE es_event ALTER data DROP NOT NULL, ALTER leaf DROP NOT NULL');
      await textOf('data', 9, 'NULL');
      expect(await verify()).toMatchObject({ ok: false, position: 9n, reason: 'changed_event' });
    });
  });

  describe('after an event row was deleted', () => {
    it.each([1, 5, 9, 21])('[AUDIT-007] names its position: %p', async (position) => {
      await log.tamper('DELETE FROM es_event WHERE position = $1', [position]);
      expect(await verify()).toMatchObject({ ok: false, position: BigInt(position), reason: 'missing_event' });
    });

    it('[AUDIT-007] names its position also when the rows behind it were moved up', async () => {
      await log.tamper('DELETE FROM es_event WHERE position = 15');
      await log.renumber(16, -1);
      expect(await verify()).toMatchObject({ ok: false, position: 15n, reason: 'missing_event' });
    });

    it('[AUDIT-007] names the first of a whole batch that was deleted with its link', async () => {
      await log.tamper('DELETE FROM es_event WHERE batch = 7');
      await log.tamper('DELETE FROM es_batch WHERE first_position = 7');
      expect(await verify()).toMatchObject({ ok: false, position: 7n, reason: 'missing_event' });
    });
  });

  describe('after batches were reordered or unlinked', () => {
    it('[AUDIT-008] names the first of two links that were swapped', async () => {
      await log.tamper(`UPDATE es_batch b SET root = o.root, previous = o.previous, chain = o.chain FROM es_batch o
        WHERE (b.first_position, o.first_position) IN ((7, 10), (10, 7))`);
      expect(await verify()).toMatchObject({ ok: false, position: 7n, reason: 'reordered_batch' });
    });

    it('[AUDIT-008] names the first of two batches that were swapped with their events', async () => {
      await log.renumber(7, 100, 9);
      await log.renumber(10, -3, 12);
      await log.renumber(107, -97, 109);
      await log.tamper('UPDATE es_event SET batch = position - (position - 1) % 3 WHERE position BETWEEN 7 AND 12');
      await log.tamper(`UPDATE es_batch b SET root = o.root, previous = o.previous, chain = o.chain FROM es_batch o
        WHERE (b.first_position, o.first_position) IN ((7, 10), (10, 7))`);
      expect(await verify()).toMatchObject({ ok: false, position: 7n, reason: 'reordered_batch' });
    });

    it.each(['root', 'previous', 'chain'])('names the batch whose %s was changed', async (column) => {
      await log.tamper(`UPDATE es_batch SET ${column} = set_byte(${column}, 0, (get_byte(${column}, 0) + 1) % 256) WHERE first_position = 10`);
      expect(await verify()).toMatchObject({ ok: false, position: 10n, reason: 'broken_chain' });
    });

    it.each(['last_position = last_position + 1', 'last_position = 9223372036854775000', 'last_position = 1'])('names the batch whose end was changed: %s', async (set) => {
      await log.tamper(`UPDATE es_batch SET ${set} WHERE first_position = 10`);
      expect(await verify()).toMatchObject({ ok: false, position: 10n, reason: 'broken_chain' });
    });

    it('names the events that lost their batch', async () => {
      await log.tamper('DELETE FROM es_batch WHERE first_position = 10');
      expect(await verify()).toMatchObject({ ok: false, position: 10n, reason: 'broken_chain' });
    });
  });

  describe('after a row was inserted', () => {
    const copyOf = (source: number, position: number) => log.tamper(
      `INSERT INTO es_event SELECT $2, stream_id || 'x', version, gen_random_uuid(), type, schema_version, site_id, occurred_ms, data, metadata, batch, leaf
       FROM es_event WHERE position = $1`, [source, position]);

    it.each([[22, 'behind the last'], [0, 'before the first'], [-5, 'at a negative position']])('[AUDIT-009] names its position: %p, %s', async (position) => {
      await copyOf(21, position);
      expect(await verify()).toMatchObject({ ok: false, position: BigInt(position), reason: 'inserted_event' });
    });

    it.each([['its own leaf', true], ['the leaf of another', false]])('[AUDIT-009] names its position also when the rows behind it were moved down and it has %s', async (_leaf, sealed) => {
      await log.renumber(15, 1);
      await copyOf(14, 15);
      if (sealed) await resealEvent(log, 15);
      expect(await verify()).toMatchObject({ ok: false, position: 15n, reason: 'inserted_event' });
    });

    it('[AUDIT-009] names its position when another event stands there too', async () => {
      await log.tamper('ALTER TABLE es_event DROP CONSTRAINT es_event_pkey');
      await copyOf(9, 9);
      const verdict = await verify();
      await log.tamper('TRUNCATE es_event; ALTER TABLE es_event ADD PRIMARY KEY (position)');
      expect(verdict).toMatchObject({ ok: false, position: 9n });
    });

    it('names the place of a batch that was added behind the last', async () => {
      await log.tamper(`INSERT INTO es_batch SELECT 22, 22, root, chain, chain, committed_at FROM es_batch WHERE first_position = 21`);
      expect(await verify()).toMatchObject({ ok: false, position: 22n, reason: 'broken_chain' });
    });
  });

  it('begins behind a position that is trusted, at the end of a batch', async () => {
    await textOf('data', 4, `'{}'`);
    expect(await verifyChain(log.pool, { after: 11n })).toMatchObject({ ok: true, events: 12n, batches: 3n, head: 21n });
    expect(await verifyChain(log.pool, { after: 12n })).toMatchObject({ ok: true, events: 9n });
    expect(await verifyChain(log.pool, { after: 3n })).toMatchObject({ ok: false, position: 4n });
    expect(await verifyChain(log.pool, { after: 21n })).toMatchObject({ ok: true, events: 0n, head: 21n });
  });

  it('tells its progress and stops when it is told to', async () => {
    const seen: [bigint, bigint][] = [];
    await verifyChain(log.pool, { onProgress: ({ verified, total }) => seen.push([verified, total]) });
    expect(seen[0]).toEqual([0n, 21n]);
    expect(seen.at(-1)).toEqual([21n, 21n]);
    const stopped = new Error('enough');
    await expect(verifyChain(log.pool, { signal: AbortSignal.abort(stopped) })).rejects.toBe(stopped);
    expect(await verify()).toMatchObject({ ok: true });
  });

  it('finds an empty log intact', async () => {
    await log.tamper('TRUNCATE es_event, es_batch');
    expect(await verify()).toMatchObject({ ok: true, events: 0n, head: 0n, chain: '0'.repeat(64) });
  });
});
