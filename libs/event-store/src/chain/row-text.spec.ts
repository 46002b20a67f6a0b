import { describe, expect, it } from '@jest/globals';
import canonicalize from 'canonicalize';
import fc from 'fast-check';
import { canonicalJson } from './canonical';
import { canonicalEvent, type StoredEvent } from './canonical-event';
import { CopiedRows, type CopiedRow } from './copied-rows';
import { COLUMNS, RowText } from './row-text';
import { copied, HEADER, TRAILER } from './testing/copied';

const name = fc.string({ unit: 'binary', minLength: 1, maxLength: 40 }).map((text) => text.toWellFormed());
const events: fc.Arbitrary<StoredEvent> = fc.record({
  position: fc.bigInt({ min: 1n, max: 2n ** 63n - 1n }), version: fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }), schemaVersion: fc.integer({ min: 1, max: 32_767 }),
  eventId: fc.uuid(), type: name, siteId: name, streamId: name,
  occurredAt: fc.date({ min: new Date(0), max: new Date('9999-12-31T23:59:59.999Z'), noInvalidDate: true }).map((date) => date.toISOString()),
  data: fc.dictionary(fc.string(), fc.jsonValue()).map(canonicalJson), metadata: fc.dictionary(fc.string(), fc.jsonValue()).map(canonicalJson),
});

describe('The canonical text of an event', () => {
  it('is the RFC 8785 form of the whole event, for any event', () => {
    fc.assert(fc.property(events, (event) => {
      const { position, data, metadata, ...rest } = event;
      const whole = { ...rest, position: String(position), data: JSON.parse(data) as unknown, metadata: JSON.parse(metadata) as unknown };
      expect(canonicalEvent(event)).toBe(canonicalize(whole));
    }), { numRuns: 500 });
  });

  it('comes out the same from a row of a binary COPY, however the rows are cut into chunks', () => {
    fc.assert(fc.property(fc.array(events, { maxLength: 5 }), fc.integer({ min: 1, max: 4_000 }), (list, chunk) => {
      const text = new RowText();
      const seen: string[] = [];
      const rows = new CopiedRows(COLUMNS.length, (row: CopiedRow) => seen.push(text.of(row).toString()));
      const bytes = Buffer.concat([HEADER, ...list.map((event) => copied(event)), TRAILER]);
      for (let at = 0; at < bytes.length; at += chunk) rows.push(bytes.subarray(at, at + chunk));
      expect(seen).toEqual(list.map(canonicalEvent));
    }), { numRuns: 300 });
  });

  it('has room for events of any size', () => {
    const event: StoredEvent = {
      position: 1n, version: 1, schemaVersion: 1, eventId: '0190f5c2-a7b6-7c3d-9e8f-000000000001', type: 'Noted', siteId: 'site_a', streamId: 'note-1',
      occurredAt: '2026-11-30T10:00:00.000Z', data: canonicalJson({ text: '\u20ac'.repeat(400_000) }), metadata: '{}',
    };
    const text = new RowText();
    new CopiedRows(COLUMNS.length, (row) => expect(text.of(row).toString()).toBe(canonicalEvent(event))).push(Buffer.concat([HEADER, copied(event)]));
    expect.assertions(1);
  });
});
