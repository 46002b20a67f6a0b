import { bytesOf, sha256 } from './sha256';

/** An event as its row holds it: `data` and `metadata` are canonical JSON already and are never parsed on the way to a hash. */
export type StoredEvent = {
  readonly position: bigint;
  readonly streamId: string;
  readonly version: number;
  readonly eventId: string;
  readonly type: string;
  readonly schemaVersion: number;
  readonly siteId: string;
  /** ISO 8601 in UTC with milliseconds. */
  readonly occurredAt: string;
  readonly data: string;
  readonly metadata: string;
};

/** The RFC 8785 text of an event: what its leaf is the sha256 of. The position is a text, because JSON numbers end at 2^53. */
export const canonicalEvent = (event: StoredEvent): string =>
  `{"data":${event.data},"eventId":"${event.eventId}","metadata":${event.metadata},"occurredAt":"${event.occurredAt}",` +
  `"position":"${event.position}","schemaVersion":${event.schemaVersion},"siteId":${JSON.stringify(event.siteId)},` +
  `"streamId":${JSON.stringify(event.streamId)},"type":${JSON.stringify(event.type)},"version":${event.version}}`;

/** The leaf of an event in the Merkle tree of its batch: 32 bytes. */
export const leafOf = (canonicalText: string | Uint8Array): Buffer => bytesOf(sha256(canonicalText));
