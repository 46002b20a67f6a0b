import { describe, expect, it } from '@jest/globals';
import { context, specification } from '@app/kernel/testing';
import { articles, itemCreated, itemDeleted, noCollection } from '../content.examples';
import { item, type Item } from '../item.state';
import { re2Patterns } from '../re2-patterns';
import { decideCreateItem } from './create-item.decide';

const given = specification(item);
const create =
  (data: Record<string, unknown>, collection = articles(), overrides = {}) =>
  (state: Item) =>
    decideCreateItem({ item: state, collection }, { data }, context(overrides), re2Patterns);
const errorsOf = (data: Record<string, unknown>) => {
  const { decision } = given().when(create(data));
  return decision.ok ? [] : (decision.rejection.facts?.['errors'] as { pointer: string }[]).map(({ pointer }) => pointer);
};

describe('Creating an item', () => {
  it('records the values it was given', () => {
    given()
      .when(create({ title: 'Hello', status: 'draft' }))
      .then([itemCreated()]);
  });

  it('leaves fields out that are null: null is no value', () => {
    given()
      .when(create({ title: 'Hello', status: 'draft', body: null }))
      .then([itemCreated()]);
  });

  it('answers like a foreign record when there is no such collection', () => {
    given().when(create({}, noCollection)).thenRejected('FORBIDDEN');
  });

  it('asks for every required value', () => {
    expect(errorsOf({ title: null })).toEqual(['/data/title', '/data/status']);
  });

  it('names every value that breaks its type or a constraint, at once', () => {
    expect(errorsOf({ title: 'x'.repeat(21), words: -1, status: 'gone', body: 7 })).toEqual([
      '/data/title',
      '/data/body',
      '/data/words',
      '/data/status',
    ]);
  });

  it('refuses fields that the collection does not have, whatever they are called', () => {
    const sneaky = JSON.parse('{"title":"Hello","status":"draft","__proto__":{"x":1},"constructor":1,"a/b~c":1}') as Record<
      string,
      unknown
    >;
    expect(errorsOf(sneaky)).toEqual(['/data/__proto__', '/data/constructor', '/data/a~1b~0c']);
  });

  it('refuses an item that is too large to be handled as one', () => {
    expect(errorsOf({ title: 'Hello', status: 'draft', body: 'x'.repeat(1_000_000) })).toEqual(['/data']);
  });

  it('changes nothing when the same command comes again', () => {
    given(itemCreated())
      .when(create({ title: 'Hello', status: 'draft' }))
      .then([]);
    given(itemCreated(), itemDeleted())
      .when(create({ title: 'Hello', status: 'draft' }))
      .then([]);
  });

  it('never takes over an item of another site', () => {
    given(itemCreated())
      .when(create({ title: 'Hello', status: 'draft' }, articles(), { siteId: 'site_b' }))
      .thenRejected('FORBIDDEN');
  });
});
