import { describe, expect, it } from '@jest/globals';
import { toolResult } from './tool-result';

const SCHEMA = { type: 'object', properties: { sum: { type: 'number' } }, required: ['sum'] };
const given = (answer: unknown, schema?: Record<string, unknown>) => toolResult(answer, 'docs', schema);

describe('The result of an upstream tool', () => {
  it('is its parts and its structured content, without what is meant for the machinery', () => {
    expect(given({ content: [{ type: 'text', text: 'a', _meta: { x: 1 } }], structuredContent: { sum: 3 }, _meta: { y: 2 }, resultType: 'complete' }, SCHEMA)).toEqual({
      content: [{ type: 'text', text: 'a' }], structuredContent: { sum: 3 },
    });
    expect(given({ structuredContent: { sum: 3 } })).toEqual({ content: [], structuredContent: { sum: 3 } });
  });

  it.each([
    ['no object', 'text', undefined, /^RESPONSE_INVALID: /],
    ['content that is no list', { content: 'text' }, undefined, /^RESPONSE_INVALID: /],
    ['10 000 parts', { content: Array.from({ length: 10_000 }, () => ({ type: 'text', text: 'a' })) }, undefined, /^RESPONSE_INVALID: /],
    ['structured content of another form than promised', { content: [], structuredContent: { sum: 'three' } }, SCHEMA, /^RESPONSE_INVALID: .* at \/sum: must be number/],
    ['no structured content where some was promised', { content: [{ type: 'text', text: '3' }] }, SCHEMA, /^RESPONSE_INVALID: .*without the structured content/],
    ['a list for structured content', { content: [], structuredContent: [3] }, SCHEMA, /^RESPONSE_INVALID: /],
    ['600 000 characters', { content: [{ type: 'text', text: 'x'.repeat(600_000) }] }, undefined, /^RESPONSE_TOO_LARGE: The result has 6000\d\d bytes/],
    ['its own failure', { content: [{ type: 'text', text: 'No such file' }], isError: true }, SCHEMA, /^TOOL_FAILED: No such file$/],
    ['a failure without a word', { content: [], isError: true }, undefined, /^TOOL_FAILED: .*not why/],
  ])('is refused when it is %s', (_what, answer, schema, message) => {
    expect(() => given(answer, schema as Record<string, unknown> | undefined)).toThrow(message);
  });

  it('tells of large pictures and files instead of holding them', () => {
    const large = 'A'.repeat(70_000);
    const content = [
      { type: 'image', mimeType: 'image/png', data: large }, { type: 'image', mimeType: 'image/png', data: 'AAAA' },
      { type: 'resource', resource: { uri: 'file:///a', blob: large, _meta: {} } }, { type: 'resource', resource: { uri: 'file:///b', text: 'b' } }, { type: 'resource_link', uri: 'file:///c', name: 'c' },
    ];
    expect(given({ content }).content).toEqual([
      { type: 'image', mimeType: 'image/png', data: '', omitted: '70000 characters of base64' }, content[1],
      { type: 'resource', resource: { uri: 'file:///a', blob: '', omitted: '70000 characters of base64' } }, content[3], content[4],
    ]);
  });
});
