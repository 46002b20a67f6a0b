import type { Body } from './server';

/** Definitions that each name the next one several times: little text, and more steps than anybody can wait for. */
const doubling = (use: (next: object) => object): Body => ({
  type: 'object', properties: { a: { $ref: '#/$defs/d0' } },
  $defs: Object.fromEntries(Array.from({ length: 40 }, (_, n) => [`d${n}`, n === 39 ? { type: 'string' } : use({ $ref: `#/$defs/d${n + 1}` })])),
});
const nested = (depth: number): Body => JSON.parse(`{"type":"object","properties":${'{"a":{"properties":'.repeat(depth)}{}${'}}'.repeat(depth)}}`) as Body;

/** Tool schemas that must not be accepted, because compiling them or checking a value against them would hold a server up. */
export const RISKY_SCHEMAS: Readonly<Record<string, Body>> = {
  'doubles by allOf': doubling((next) => ({ allOf: [next, next] })),
  'doubles by anyOf': doubling((next) => ({ anyOf: [next, { type: 'number' }, next] })),
  'doubles by properties': doubling((next) => ({ properties: { left: next, right: next } })),
  'is itself': { type: 'object', allOf: [{ $ref: '#' }] },
  'doubles with every level of the input': { type: 'object', anyOf: [{ properties: { a: { $ref: '#' } } }, { properties: { a: { $ref: '#' } } }] },
  'is nested 80 levels deep': nested(40),
  'is nested 1 000 levels deep': nested(1_000),
  'has 10 000 parts': { type: 'object', anyOf: Array.from({ length: 10_000 }, () => ({ not: {} })) },
  'is larger than a schema may be': { type: 'object', description: 'x'.repeat(70_000) },
  'repeats a pattern without measure': { type: 'object', properties: { a: { type: 'string', pattern: '(((a{0,99}){0,99}){0,99}){0,99}' } } },
  'looks back': { type: 'object', properties: { a: { type: 'string', pattern: '(a+)+\\1$' } } },
};
