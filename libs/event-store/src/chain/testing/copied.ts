import type { StoredEvent } from '../canonical-event';

const int = (value: bigint, bytes: 2 | 8) => {
  const field = Buffer.alloc(bytes);
  if (bytes === 2) field.writeInt16BE(Number(value));
  else field.writeBigInt64BE(value);
  return field;
};

/** One row as PostgreSQL sends it in a binary COPY. */
export const copied = (event: StoredEvent, { batch = 1n, leaf = Buffer.alloc(32) }: { batch?: bigint; leaf?: Buffer } = {}): Buffer => {
  const fields = [
    int(event.position, 8), int(batch, 8), leaf, int(BigInt(event.version), 8), int(BigInt(event.schemaVersion), 2),
    int(BigInt(Date.parse(event.occurredAt)), 8), Buffer.from(event.eventId.replaceAll('-', ''), 'hex'),
    ...[event.type, event.siteId, event.streamId, event.data, event.metadata].map((text) => Buffer.from(text)),
  ];
  const count = Buffer.alloc(2);
  count.writeInt16BE(fields.length);
  return Buffer.concat([count, ...fields.flatMap((field) => {
    const length = Buffer.alloc(4);
    length.writeInt32BE(field.length);
    return [length, field];
  })]);
};

/** What a binary COPY begins and ends with. */
export const HEADER = Buffer.concat([Buffer.from('PGCOPY\n\xff\r\n\0', 'latin1'), Buffer.alloc(8)]);
export const TRAILER = Buffer.from([0xff, 0xff]);
