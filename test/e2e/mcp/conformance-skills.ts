import { skill, type CoreSkill } from '@app/skills';
import { z } from 'zod';

const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==';
const WAV = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=';

/** Tools by the names and with the answers that the official suite asks for, as skills of this server: each call of them passes the door. */
const answering = (name: string, answer: () => unknown): CoreSkill =>
  skill(name, {
    description: `Answers as the official suite expects of ${name}`, input: z.looseObject({}), capability: 'items:read', risk: 'read',
    run: () => Promise.resolve({ ok: true, data: answer(), position: 0n }),
  });

const SCHEMA = {
  $schema: 'https://json-schema.org/draft/2020-12/schema', type: 'object',
  $defs: { address: { $anchor: 'addressDef', type: 'object', properties: { street: { type: 'string' }, city: { type: 'string' } } } },
  properties: { name: { type: 'string' }, address: { $ref: '#/$defs/address' }, contactMethod: { type: 'string', enum: ['phone', 'email'] }, phone: { type: 'string' }, email: { type: 'string' } },
  allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
  if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] }, then: { required: ['phone'] }, else: { required: ['email'] }, additionalProperties: false,
};
const dialect = answering('json_schema_2020_12_tool', () => 'ok');

export const conformanceSkills: readonly CoreSkill[] = [
  answering('test_simple_text', () => 'This is a simple text response for testing.'),
  answering('test_image_content', () => ({ content: [{ type: 'image', data: PNG, mimeType: 'image/png' }] })),
  answering('test_audio_content', () => ({ content: [{ type: 'audio', data: WAV, mimeType: 'audio/wav' }] })),
  answering('test_embedded_resource', () => ({ content: [{ type: 'resource', resource: { uri: 'test://embedded-resource', mimeType: 'text/plain', text: 'This is an embedded resource content.' } }] })),
  answering('test_multiple_content_types', () => ({
    content: [
      { type: 'text', text: 'Multiple content types test:' }, { type: 'image', data: PNG, mimeType: 'image/png' },
      { type: 'resource', resource: { uri: 'test://mixed-content-resource', mimeType: 'application/json', text: '{"test":"data","value":123}' } },
    ],
  })),
  answering('test_error_handling', () => {
    throw new Error('This tool intentionally returns an error for testing');
  }),
  { ...dialect, definition: { ...dialect.definition, inputSchema: SCHEMA } },
];
