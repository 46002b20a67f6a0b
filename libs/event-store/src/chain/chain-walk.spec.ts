import { describe, expect, it } from '@jest/globals';
import { canonicalEvent, leafOf, type StoredEvent } from './canonical-event';
import { ChainWalk } from './chain-walk';
import { CopiedRows } from './copied-rows';
import { chainAfter, GENESIS } from './link';
import { merkleRoot } from './merkle';
import { COLUMNS } from './row-text';
import { digestOf } from './sha256';
import { copied, HEADER } from './testing/copied';

const eventAt = (position: bigint): StoredEvent => ({
  position, version: 1, schemaVersion: 1, eventId: '0190f5c2-a7b6-7c3d-9e8f-000000000001', type: 'Noted', siteId: 'site_a', streamId: `note-${position}`,
  occurredAt: '2026-11-30T10:00:00.000Z', data: `{"text":"${position}"}`, metadata: '{}',
});

describe('A walk along the chain', () => {
  it.each([2n ** 32n, 2n ** 53n, 2n ** 62n])('goes on beyond position %p', (border) => {
    const first = border - 2n;
    const events = [0n, 1n, 2n, 3n].map((place) => eventAt(first + place));
    const leaves = events.map((event) => leafOf(canonicalEvent(event)));
    const root = merkleRoot(leaves);
    const batch = { first, last: first + 3n, root: digestOf(root), previous: digestOf(GENESIS), chain: digestOf(chainAfter(GENESIS, root, first, first + 3n)) };
    const walk = new ChainWalk({ position: first - 1n, chain: digestOf(GENESIS) }, [], []);
    expect(walk.begin(batch)).toBeNull();
    const faults: unknown[] = [];
    new CopiedRows(COLUMNS.length, (row) => faults.push(walk.event(row)))
      .push(Buffer.concat([HEADER, ...events.map((event, i) => copied(event, { batch: first, leaf: leaves[i]! }))]));
    expect(faults).toEqual([null, null, null, null]);
    expect(walk).toMatchObject({ events: 4n, batches: 1n, verified: { position: first + 3n, chain: batch.chain }, inBatch: false });
  });
});
