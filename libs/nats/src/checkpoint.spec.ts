import { describe, expect, it } from '@jest/globals';
import type { Database, Lease } from '@app/event-store';
import { StoredCheckpoint } from './checkpoint';

const LEASE: Lease = { name: 'relay', slice: 0, fence: 1n, position: 0n };

describe('The checkpoint of the relay', () => {
  it('stores what is reached while it is being stored, also when nothing comes after it', async () => {
    const stored: string[] = [];
    const third = Promise.withResolvers<void>();
    const db = {
      query: async (_text: string, values: readonly unknown[]) => {
        await Promise.resolve();
        stored.push(values[4] as string);
        // Each write but the last is overtaken by an acknowledgement.
        if (stored.length < 3) checkpoint.reach(BigInt(stored.length + 1));
        else third.resolve();
        return { rowCount: 1, rows: [] };
      },
    } as unknown as Database;
    const checkpoint = new StoredCheckpoint(db, LEASE, () => undefined, () => undefined);
    checkpoint.reach(1n);
    await third.promise;
    await checkpoint.flush();
    expect(stored).toEqual(['1', '2', '3']);
  }, 5_000);
});
