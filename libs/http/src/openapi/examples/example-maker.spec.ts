import { describe, expect, it } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { ExampleMaker } from './example-maker';
import type { Schema } from './fits';

const Shelf: Schema = {
  type: 'object', required: ['id', 'name', 'rows', 'parent', 'books'],
  properties: {
    id: { type: 'string', pattern: '^shelf_[0-9]+$' }, name: { type: 'string' }, rows: { type: 'integer', minimum: 2 }, note: { type: 'string' },
    parent: { anyOf: [{ type: 'null' }, { $ref: '#/components/schemas/Shelf' }] },
    books: { type: 'array', items: { $ref: '#/components/schemas/Book' } },
  },
};
const Book: Schema = { type: 'object', required: ['title', 'name', 'on'], properties: { title: { type: 'string' }, name: { type: 'string' }, pages: { type: 'integer' }, on: { $ref: '#/components/schemas/Shelf' } } };
const values = { components: { Book: { name: 'Emma', pages: 12 } }, fields: { name: 'Left', id: 'shelf_7', rows: 'many' }, endings: { At: '2030-01-31T09:30:00.000Z' } };
const maker = new ExampleMaker({ Shelf, Book }, values);

describe('An example', () => {
  it('holds what is required and nothing else, and what the product says of a field', () => {
    expect(maker.of({ $ref: '#/components/schemas/Shelf' })).toEqual({ id: 'shelf_7', name: 'Left', rows: 2, parent: null, books: [] });
  });

  it('takes the word for a field of one component before the word for its name', () => {
    expect(maker.of({ $ref: '#/components/schemas/Book' })).toMatchObject({ name: 'Emma', on: { name: 'Left' } });
  });

  it('shows what is said of a component even where it may be left out', () => {
    expect(maker.of({ $ref: '#/components/schemas/Book' })).toMatchObject({ pages: 12 });
  });

  it('passes over a value that the schema refuses', () => {
    expect(maker.of({ type: 'integer', minimum: 2 }, 'rows')).toBe(2);
    expect(maker.of({ type: 'string', enum: ['open', 'closed'] }, 'name')).toBe('open');
  });

  it('knows a field by the end of its name, and the entries of a list by the singular', () => {
    expect(maker.of({ type: 'string' }, 'createdAt')).toBe('2030-01-31T09:30:00.000Z');
    expect(maker.of({ type: 'array', items: { type: 'string' } }, 'names')).toEqual(['Left']);
  });

  it('is the one that the schema itself gives, before any that is made', () => {
    expect(maker.of({ type: 'string', examples: ['123'] })).toBe('123');
  });

  it('is left out when no value is known, rather than wrong', () => {
    expect(maker.of({ type: 'string', pattern: '^[A-Z]{3}-[0-9]{9}$' })).toBeUndefined();
    expect(maker.of({ type: 'array', minItems: 1, items: { type: 'string', pattern: '^x{99}$' } })).toBeUndefined();
  });

  it('is accepted by the schema it was made from', () => {
    const ajv = new Ajv2020({ strict: false });
    const leaf: fc.Arbitrary<Schema> = fc.oneof(
      fc.record({ type: fc.constant('string'), minLength: fc.nat({ max: 4 }) }),
      fc.record({ type: fc.constantFrom('integer', 'number'), minimum: fc.integer({ min: -50, max: 50 }) }),
      fc.record({ enum: fc.array(fc.oneof(fc.string(), fc.integer()), { minLength: 1, maxLength: 3 }) }),
      fc.constantFrom<Schema>({ type: 'boolean' }, { type: 'null' }, { const: 'only' }, {}),
    );
    const { schema } = fc.letrec<{ schema: Schema }>((tie) => ({
      schema: fc.oneof({ maxDepth: 3 }, leaf,
        fc.record({ type: fc.constant('array'), items: tie('schema') }),
        fc.record({ anyOf: fc.array(tie('schema'), { minLength: 1, maxLength: 3 }) }),
        fc.dictionary(fc.constantFrom('name', 'rows', 'id', 'createdAt', 'books'), tie('schema')).map((properties): Schema => ({ type: 'object', properties, required: Object.keys(properties).slice(1) }))),
    }));
    fc.assert(fc.property(schema, (one) => {
      const made = maker.of(one);
      expect([one, made, made !== undefined && ajv.validate(one, made)]).toEqual([one, made, true]);
    }), { numRuns: 500 });
  });
});
