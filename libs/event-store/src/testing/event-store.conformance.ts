import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { EventStore } from '../event-store';
import { newEventId } from '../ids';
import { appendingContract } from './appending.conformance';
import { racingContract } from './racing.conformance';
import { readingContract } from './reading.conformance';
import { catalogue, command, newStream, note } from './samples';

/** `close` closes the store and gives back what it stands on. */
export type StoreUnderTest = { readonly store: EventStore; close(): Promise<void> };
export type OpenStore = (testCatalogue: typeof catalogue) => Promise<StoreUnderTest>;

/** What every adapter of the port promises. An adapter proves itself by one call of this function. */
export const eventStoreContract = (name: string, open: OpenStore) =>
  describe(`The event store contract: ${name}`, () => {
    let opened: StoreUnderTest;
    beforeAll(async () => { opened = await open(catalogue); });
    afterAll(() => opened.close());
    const store = () => opened.store;

    appendingContract(store);
    readingContract(store);
    racingContract(store);

    it('refuses to append after it was closed, and ends what is followed', async () => {
      const other = await open(catalogue);
      const followed = (async () => { for await (const page of other.store.follow(0n)) void page; })();
      const streamId = newStream();
      await other.store.append([{ streamId, expected: 'none', events: [{ ...note(), eventId: newEventId() }] }], [], command());
      await other.store.close();
      await followed;
      await other.close();
      await expect(other.store.append([{ streamId, expected: 'any', events: [note()] }], [], command())).resolves.toMatchObject({ ok: false, kind: 'unavailable' });
    });
  });
