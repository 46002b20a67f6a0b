import type { CopiedRow } from './copied-rows';

/** The columns of the log in the order in which they are copied out, and the place of each. */
export const COLUMNS = [
  'position', 'batch', 'leaf', 'version', 'schema_version', 'occurred_ms', 'event_id', 'type', 'site_id', 'stream_id', 'data', 'metadata',
] as const;
const at = (name: (typeof COLUMNS)[number]) => COLUMNS.indexOf(name);
export const COLUMN = {
  position: at('position'), batch: at('batch'), leaf: at('leaf'), version: at('version'), schemaVersion: at('schema_version'),
  occurredMs: at('occurred_ms'), eventId: at('event_id'), type: at('type'), siteId: at('site_id'), streamId: at('stream_id'),
  data: at('data'), metadata: at('metadata'),
};

const GLUE = {
  data: Buffer.from('{"data":'), eventId: Buffer.from(',"eventId":"'), metadata: Buffer.from('","metadata":'),
  occurredAt: Buffer.from(',"occurredAt":"'), position: Buffer.from('","position":"'), schemaVersion: Buffer.from('","schemaVersion":'),
  siteId: Buffer.from(',"siteId":'), streamId: Buffer.from(',"streamId":'), type: Buffer.from(',"type":'), version: Buffer.from(',"version":'),
};
const GLUE_LENGTH = 200;
const [QUOTE, BACKSLASH, SPACE, DASH, CLOSE, ZERO] = Buffer.from('"\\ -}0');
const HEX = Buffer.from('0123456789abcdef');

/**
 * Puts the canonical text of a copied row together as bytes. It says the same as `canonicalEvent`, without turning the row into texts and
 * back: 0.5 instead of 2.5 µs an event of 850 bytes.
 */
export class RowText {
  private bytes = Buffer.allocUnsafe(64 * 1024);
  private length = 0;
  private readonly lastMs = Buffer.alloc(8);
  private lastInstant = Buffer.from(new Date(0).toISOString());

  /** Valid until the next call. */
  of(row: CopiedRow): Buffer {
    this.makeRoom(row);
    this.length = 0;
    this.glue(GLUE.data);
    this.field(row, COLUMN.data);
    this.glue(GLUE.eventId);
    this.uuid(row, COLUMN.eventId);
    this.glue(GLUE.metadata);
    this.field(row, COLUMN.metadata);
    this.glue(GLUE.occurredAt);
    this.glue(this.instant(row));
    this.glue(GLUE.position);
    this.int64(row, COLUMN.position);
    this.glue(GLUE.schemaVersion);
    this.integer(row.int16(COLUMN.schemaVersion));
    this.glue(GLUE.siteId);
    this.quoted(row, COLUMN.siteId);
    this.glue(GLUE.streamId);
    this.quoted(row, COLUMN.streamId);
    this.glue(GLUE.type);
    this.quoted(row, COLUMN.type);
    this.glue(GLUE.version);
    this.int64(row, COLUMN.version);
    this.bytes[this.length++] = CLOSE!;
    return this.bytes.subarray(0, this.length);
  }

  /** A quoted character takes 6 bytes at most; the row's texts lie between the first column's start and the last one's end. */
  private makeRoom(row: CopiedRow) {
    const needed = 6 * (row.end[COLUMN.metadata]! - row.start[COLUMN.position]!) + GLUE_LENGTH + 200;
    if (needed > this.bytes.length) this.bytes = Buffer.allocUnsafe(2 * needed);
  }

  private glue(part: Buffer) {
    this.bytes.set(part, this.length);
    this.length += part.length;
  }

  private field(row: CopiedRow, column: number) {
    this.length += row.bytes.copy(this.bytes, this.length, row.start[column]!, row.end[column]!);
  }

  private quoted(row: CopiedRow, column: number) {
    const begin = this.length;
    const end = row.end[column]!;
    this.bytes[this.length++] = QUOTE!;
    for (let i = row.start[column]!; i < end; i++) {
      const byte = row.bytes[i]!;
      if (byte < SPACE! || byte === QUOTE || byte === BACKSLASH) {
        this.length = begin + this.bytes.write(JSON.stringify(row.text(column)), begin);
        return;
      }
      this.bytes[this.length++] = byte;
    }
    this.bytes[this.length++] = QUOTE!;
  }

  private uuid(row: CopiedRow, column: number) {
    const start = row.start[column]!;
    for (let i = 0; i < 16; i++) {
      const byte = row.bytes[start + i]!;
      this.bytes[this.length++] = HEX[byte >> 4]!;
      this.bytes[this.length++] = HEX[byte & 15]!;
      if (i === 3 || i === 5 || i === 7 || i === 9) this.bytes[this.length++] = DASH!;
    }
  }

  /** Most numbers of a log fit into 32 bits; those are written without a bigint and without a text. */
  private int64(row: CopiedRow, column: number) {
    const start = row.start[column]!;
    if (row.bytes.readInt32BE(start) === 0) this.integer(row.bytes.readUInt32BE(start + 4));
    else this.length += this.bytes.write(String(row.int64(column)), this.length, 'latin1');
  }

  private integer(value: number) {
    if (value < 0) return void (this.length += this.bytes.write(String(value), this.length, 'latin1'));
    let digits = 1;
    for (let rest = value; rest >= 10; rest = Math.trunc(rest / 10)) digits++;
    this.length += digits;
    for (let i = this.length - 1, rest = value; digits > 0; digits--, rest = Math.trunc(rest / 10)) this.bytes[i--] = ZERO! + (rest % 10);
  }

  /** The events of a command, and often those of a batch, share their instant. */
  private instant(row: CopiedRow): Buffer {
    if (!row.isInt64(COLUMN.occurredMs, this.lastMs)) {
      const ms = row.int64(COLUMN.occurredMs);
      this.lastInstant = Buffer.from(new Date(Number(ms)).toISOString());
      this.lastMs.writeBigInt64BE(ms);
    }
    return this.lastInstant;
  }
}
