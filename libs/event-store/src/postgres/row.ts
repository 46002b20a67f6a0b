import type { Catalogue, Event, Metadata, Recorded } from '@app/kernel';
import { SEALED_START } from '../sealing/payload-sealer';

/** Columns of es_event in the order of `EventRow`. */
export const EVENT_COLUMNS = 'position, stream_id, version, event_id, type, schema_version, site_id, occurred_ms, data, metadata, batch, leaf';

export type EventRow = readonly [
  position: string, streamId: string, version: string, eventId: string, type: string, schemaVersion: string, siteId: string, occurredMs: string,
  data: string, metadata: string, batch: string, leaf: string,
];

/** Rough size in memory: the texts, and 400 bytes for the objects around them. */
export const bytesOf = (row: EventRow): number => row[8].length + row[9].length + 400;

/** Rows as the domain sees them, but for sealed data, which is left as stored: data of old versions upcast, metadata parsed once where neighbours share it (a command's events do). */
export const recordedFrom = (catalogue: Catalogue) => {
  let text = '';
  let parsed: Metadata;
  return ([position, streamId, version, eventId, type, schemaVersion, siteId, occurredMs, data, metadata, batch, leaf]: EventRow): Recorded => {
    if (metadata !== text) {
      parsed = JSON.parse(metadata) as Metadata;
      text = metadata;
    }
    const parsedData = JSON.parse(data) as Event['data'];
    return {
      type, data: data.startsWith(SEALED_START) ? parsedData : (catalogue.upcast(type, +schemaVersion, parsedData) as Event['data']), position: BigInt(position), streamId, version: +version,
      eventId, schemaVersion: +schemaVersion, siteId, occurredAt: new Date(+occurredMs).toISOString(), metadata: parsed,
      chain: { leaf: leaf.slice(2), batch: BigInt(batch) },
    };
  };
};
