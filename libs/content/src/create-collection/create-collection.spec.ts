import { describe, expect, it } from '@jest/globals';
import { context, specification } from '@app/kernel/testing';
import { collection } from '../collection.state';
import { articleFields, articlesCreated } from '../content.examples';
import type { Field } from '../field.schema';
import { re2Patterns } from '../re2-patterns';
import { CreateCollectionBody } from './create-collection.command';
import { decideCreateCollection } from './create-collection.decide';

const given = specification(collection);
const create = (name: string, fields: readonly Field[]) => (state: (typeof collection)['initial']) =>
  decideCreateCollection(state, { name, fields: [...fields] }, context(), re2Patterns);
const errorsOf = (fields: readonly Field[]) => {
  const { decision } = given().when(create('articles', fields));
  return decision.ok ? [] : (decision.rejection.facts?.['errors'] as { pointer: string }[]).map(({ pointer }) => pointer);
};

describe('Creating a collection', () => {
  it('records its fields with their types, requirements and constraints', () => {
    given().when(create('articles', articleFields)).then([articlesCreated()]);
  });

  it('takes a name only once', () => {
    given(articlesCreated()).when(create('articles', articleFields)).thenRejected('CONFLICT');
  });

  it('keeps names that start with lumibase_ for the product, for collections and for fields', () => {
    given().when(create('lumibase_users', [])).thenRejected('RESERVED_NAME');
    given()
      .when(create('users', [{ name: 'lumibase_id', type: 'text' }]))
      .thenRejected('RESERVED_NAME');
  });

  it('refuses two fields of one name', () => {
    expect(
      errorsOf([
        { name: 'title', type: 'text' },
        { name: 'title', type: 'integer' },
      ]),
    ).toEqual(['/fields/1/name']);
  });

  it('refuses constraints that the type would ignore, and bounds that nothing can meet', () => {
    expect(
      errorsOf([
        { name: 'a', type: 'boolean', constraints: { min: 1 } },
        { name: 'b', type: 'text', constraints: { minLength: 3, maxLength: 2 } },
        { name: 'c', type: 'number', constraints: { min: 2, max: 1, pattern: 'x' } },
        { name: 'd', type: 'enum' },
        { name: 'e', type: 'enum', constraints: { options: ['x', 'x'] } },
      ]),
    ).toEqual([
      '/fields/0/constraints/min',
      '/fields/1/constraints/minLength',
      '/fields/2/constraints/pattern',
      '/fields/2/constraints/min',
      '/fields/3/constraints/options',
      '/fields/4/constraints/options',
    ]);
  });

  it.each(['^(?=a)b', '(a)\\1', 'a{1000}{1000}', '(?:ab){900}', '['])(
    'refuses the pattern %s, which cannot be matched in linear time',
    (pattern) => {
      expect(errorsOf([{ name: 'code', type: 'text', constraints: { pattern } }])).toEqual(['/fields/0/constraints/pattern']);
    },
  );

  it('stops at the first unusable pattern: compiling hostile ones costs time', () => {
    const hostile: Field = { name: 'a', type: 'text', constraints: { pattern: 'a{0,999}'.repeat(25) } };
    expect(errorsOf([hostile, { ...hostile, name: 'b' }])).toEqual(['/fields/0/constraints/pattern']);
  });

  it.each(['', 'Title', '1st', 'a-b', 'a b', '__proto__', 'a'.repeat(64)])('does not take the name "%s"', (name) => {
    expect(CreateCollectionBody.safeParse({ name, fields: [] }).success).toBe(false);
    expect(CreateCollectionBody.safeParse({ name: 'ok', fields: [{ name, type: 'text' }] }).success).toBe(false);
  });

  it('refuses keys it does not know, such as unique', () => {
    expect(CreateCollectionBody.safeParse({ name: 'ok', fields: [{ name: 'slug', type: 'text', unique: true }] }).success).toBe(false);
  });
});
