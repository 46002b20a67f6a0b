import { idOf, type Recorded } from '@app/kernel';
import { ReadModelBehind, type AnyProjection } from '@app/projections';
import type { LoadedRecord, RecordLoader } from '../records/record-loader';

/**
 * The records that events are about, as they are once the read model has taken the event in. Several events of one record in a page are one answer.
 */
export async function* liveRecords(pages: AsyncIterable<readonly Recorded[]>, projection: AnyProjection, records: RecordLoader, signal: AbortSignal): AsyncGenerator<LoadedRecord> {
  for await (const page of pages) {
    const ids = new Set(page.map(({ streamId }) => idOf(streamId)));
    records.readAfter(page.at(-1)!.position);
    for (const record of await patiently(() => Promise.all([...ids].map((id) => records.load(projection, id))), signal)) if (record) yield record;
  }
}

/** A read model that is behind delays what a subscriber hears; it does not end it. */
const patiently = async <Result>(read: () => Promise<readonly Result[]>, signal: AbortSignal): Promise<readonly Result[]> => {
  for (;;) {
    try {
      return await read();
    } catch (error) {
      if (!(error instanceof ReadModelBehind)) throw error;
      if (signal.aborted) return [];
    }
  }
};
