import { describe, expect, it } from '@jest/globals';
import type { AuditEventView } from '@app/audit/contract';
import type { Recorded } from '@app/kernel';
import fc from 'fast-check';
import { readCef } from './cef-line.examples';
import { cefLine, type CefRecord } from './cef-line.policy';
import { cefOf } from './cef.view';
import { EventForms } from './event-forms';
import { outcomeOf, severityOf } from './severity.policy';
import { octetCounted, syslogMessage } from './syslog-message.policy';

const denied: AuditEventView = {
  position: '42', streamId: 'run-run_1', version: 7, eventId: '0197f0a1-0000-7000-8000-000000000001', type: 'ToolCallDenied', schemaVersion: 1, siteId: 'site_a', occurredAt: '2030-01-01T10:00:00.000Z',
  actor: { kind: 'agent', id: 'key_1', role: 'Writer' }, data: { tool: 'deleteItem', reason: 'policy=strict|no \\ deletes\nat night' }, metadata: { actor: { kind: 'agent', id: 'key_1', role: 'Writer' }, correlationId: 'c-1', commandId: 'd-1', runId: 'run_1' },
  chain: { leaf: 'ab12', batch: '40' },
};
const LINE = String.raw`CEF:0|Agent Harness|agent-harness|0|ToolCallDenied|Tool call denied|6|rt=1893492000000 externalId=0197f0a1-0000-7000-8000-000000000001 cat=run act=denied outcome=failure suser=key_1 spriv=Writer `
  + String.raw`reason=policy\=strict|no \\ deletes\nat night cn1=42 cn1Label=position cs1=site_a cs1Label=site cs2=run-run_1 cs2Label=stream cs3=c-1 cs3Label=correlationId cs4=ab12 cs4Label=leaf `
  + String.raw`cs5={"tool":"deleteItem","reason":"policy\=strict|no \\\\ deletes\\nat night"} cs5Label=data cs6=run_1 cs6Label=run flexString1=agent flexString1Label=actorKind`;

describe('A line of CEF', () => {
  const text = fc.string({ unit: fc.oneof({ weight: 2, arbitrary: fc.constantFrom('|', '\\', '=', '\n', '\r', ' ', 'n', 'cs1') }, fc.string({ minLength: 1, maxLength: 1, unit: 'binary' })), maxLength: 12 });
  const header = text.map((each) => each.replaceAll(/[\r\n]/g, ''));
  const record: fc.Arbitrary<CefRecord> = fc.record({
    vendor: header, product: header, version: header, signatureId: header, name: header, severity: fc.integer({ min: 0, max: 10 }), extension: fc.dictionary(fc.stringMatching(/^[a-z][A-Za-z0-9]{0,9}$/), text, { noNullPrototype: true }),
  });

  it('is read as what was written, whatever stands in it, and is one line', () => {
    fc.assert(fc.property(record, (wanted) => {
      const line = cefLine(wanted);
      expect(line).not.toMatch(/[\r\n]/);
      expect(readCef(line)).toEqual(wanted);
    }));
  });

  it('has no line break in its header, for which CEF has no way to write it', () => {
    expect(cefLine({ vendor: 'a\r\nb', product: 'c\nd', version: '|', signatureId: '\\', name: '=', severity: 1, extension: {} })).toBe(String.raw`CEF:0|a b|c d|\||\\|=|1|`);
  });

  it('tells of an event under keys of the dictionary', () => {
    expect(cefLine(cefOf(denied))).toBe(LINE);
    expect(JSON.parse(readCef(LINE).extension['cs5']!)).toEqual(denied.data);
  });

  it('names where the data are when they are too long for it or for whoever takes it', () => {
    const long = { ...denied, data: { text: 'x'.repeat(4_000) } };
    for (const { extension } of [cefOf(long), cefOf(denied, { withData: false })]) {
      expect(extension).toMatchObject({ request: `/api/v1/audit/proof/${denied.eventId}`, cn1: '42' });
      expect(Object.keys(extension)).not.toEqual(expect.arrayContaining(['cs5']));
      expect(extension).not.toHaveProperty('reason');
    }
  });

  it('says how much somebody should care, and whether it came about', () => {
    const of = (type: string, category: string, data: unknown = {}) => [severityOf({ type, category, data }), outcomeOf(type)];
    expect([
      of('IncidentOpened', 'incident', { severity: 'high' }), of('IncidentOpened', 'incident', { severity: 'low' }), of('ScopeFrozen', 'governance'), of('AutonomyDemoted', 'governance'), of('ToolCallDenied', 'run'), of('ToolCallFailed', 'run'),
      of('PolicyChanged', 'governance'), of('ItemDeleted', 'item'), of('ItemCreated', 'item'),
    ]).toEqual([[9, 'success'], [6, 'success'], [8, 'success'], [7, 'success'], [6, 'failure'], [5, 'failure'], [5, 'success'], [4, 'success'], [2, 'success']]);
  });
});

describe('A syslog message', () => {
  it('is one of RFC 5424, with the priority of its severity', () => {
    const of = (severity: number, more: object = {}) => syslogMessage({ severity, at: '2030-01-01T10:00:00.000Z', host: 'node-1', messageId: 'ToolCallDenied', text: 'CEF:0|…', ...more });
    expect(of(6)).toBe('<108>1 2030-01-01T10:00:00.000Z node-1 agent-harness - ToolCallDenied - CEF:0|…');
    expect([0, 3, 4, 5, 7, 8, 9, 10].map((severity) => /^<(\d+)>/.exec(of(severity))![1])).toEqual(['110', '110', '109', '108', '107', '107', '106', '106']);
    expect(of(2, { host: 'knöten mit leer', messageId: 'x'.repeat(40) })).toBe(`<110>1 2030-01-01T10:00:00.000Z kntenmitleer agent-harness - ${'x'.repeat(32)} - CEF:0|…`);
    expect(of(2, { host: 'ü' })).toContain(' - agent-harness ');
  });

  it('is found again in a stream of frames, whatever stands in it', () => {
    fc.assert(fc.property(fc.array(fc.string({ unit: 'binary' })), (texts) => {
      let rest = Buffer.from(texts.map(octetCounted).join(''));
      const found: string[] = [];
      while (rest.length > 0) {
        const space = rest.indexOf(' ');
        const end = space + 1 + Number(rest.subarray(0, space).toString());
        found.push(rest.subarray(space + 1, end).toString());
        rest = rest.subarray(end);
      }
      // A half of a surrogate pair has no bytes of its own.
      expect(found).toEqual(texts.map((text) => text.toWellFormed()));
    }));
  });
});

describe('What a subscription is sent', () => {
  const event: Recorded = { ...denied, position: 42n, data: { tool: 'pay', arguments: { iban: 'DE1' } }, metadata: denied.metadata as Recorded['metadata'], chain: { leaf: 'ab12', batch: 40n } };
  const stored = { 0: '42', 1: 'run-run_1', 2: '7', 3: denied.eventId, 4: denied.type, 5: 1, 6: 'site_a', 7: '1893492000000', 8: '{"tool":"pay","sealed":"v1.c2VhbGVk"}', 9: JSON.stringify(denied.metadata), 10: '40', 11: Buffer.from('ab12', 'hex') };
  const db = { query: () => Promise.resolve({ rows: [Object.values(stored)] }) } as never;
  const forms = new EventForms({ db, shapes: { versionOf: () => 2, sealed: { ToolCallDenied: { fields: { arguments: 'json' }, subject: () => 'run_1' } } } });
  const webhook = { type: 'webhook', url: 'https://a.example', secret: null } as const;
  const nats = { type: 'nats', topic: 'a' } as const;
  const syslog = { type: 'syslog', address: 'tls://a.example:6514' } as const;

  it('is open for a webhook as it always was, and has placeholders wherever else a CloudEvent goes', async () => {
    const dataOf = async (target: typeof webhook | typeof nats | typeof syslog) => (JSON.parse((await forms.of({ target }, event)).text) as { data: unknown }).data;
    expect(await Promise.all([dataOf(webhook), dataOf(nats), dataOf(syslog)])).toEqual([event.data, { tool: 'pay', arguments: { sealed: true } }, { tool: 'pay', arguments: { sealed: true } }]);
  });

  it('is the event as it is stored where it is the audit feed, whoever gets it', async () => {
    for (const target of [webhook, nats, syslog]) {
      const [json, cef] = [await forms.of({ target, format: 'json' }, event), await forms.of({ target, format: 'cef' }, event)];
      expect(JSON.parse(json.text)).toEqual({ ...denied, data: { tool: 'pay', sealed: 'v1.c2VhbGVk' } });
      expect(readCef(cef.text).extension['cs5']).toBe(stored[8]);
      expect([json.contentType, cef.contentType, cef.severity]).toEqual(['application/json', 'text/plain; charset=utf-8', 6]);
    }
  });

  it('goes without its data where it would be too large, and says where they are', async () => {
    const dataref = `/api/v1/audit/proof/${denied.eventId}`;
    const of = async (format?: 'json') => JSON.parse((await forms.of({ target: nats, format }, event, 100)).text) as object;
    for (const small of [await of(), await of('json')]) {
      expect(small).toMatchObject({ dataref });
      expect(small).not.toHaveProperty('data');
    }
    expect(readCef((await forms.of({ target: nats, format: 'cef' }, event, 100)).text).extension).toMatchObject({ request: dataref });
  });
});
