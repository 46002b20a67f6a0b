import { describe, expect, it } from '@jest/globals';
import { context, specification } from '@app/kernel/testing';
import { articleFields, articles, itemCreated, itemDeleted, itemPatched } from '../content.examples';
import { item, type Item } from '../item.state';
import { re2Patterns } from '../re2-patterns';
import { decideUpdateItem } from './update-item.decide';

const given = specification(item);
type Options = { siteId?: string; collection?: string; ifMatch?: number; fields?: typeof articleFields };
const update =
  (data: Record<string, unknown>, { siteId = 'site_a', collection = 'articles', ifMatch, fields }: Options = {}) =>
  (state: Item) =>
    decideUpdateItem({ item: state, collection: articles(fields) }, 3, { collection, data, ifMatch }, context({ siteId }), re2Patterns);

describe('Updating an item', () => {
  it('records the touched fields before and after', () => {
    given(itemCreated())
      .when(update({ title: 'Bye', words: 3 }))
      .then([itemPatched({ title: 'Hello', words: null }, { title: 'Bye', words: 3 })]);
  });

  it('records only what really changes', () => {
    given(itemCreated())
      .when(update({ title: 'Hello', words: 3 }))
      .then([itemPatched({ words: null }, { words: 3 })]);
  });

  it('is no event when nothing changes, whatever the order of keys', () => {
    given(itemCreated({ title: 'Hello', status: 'draft', meta: { a: 1, b: [2] } }))
      .when(update({ status: 'draft', meta: { b: [2], a: 1 }, body: null }))
      .then([]);
  });

  it('takes an optional value away with null', () => {
    given(itemCreated(), itemPatched({ words: null }, { words: 3 }))
      .when(update({ words: null }))
      .then([itemPatched({ words: 3 }, { words: null })]);
  });

  it('takes no required value away', () => {
    given(itemCreated())
      .when(update({ title: null }))
      .thenRejected('VALIDATION_FAILED');
  });

  it('refuses values that break their type or a constraint, and unknown fields', () => {
    for (const data of [{ title: 'x'.repeat(21) }, { words: 1.5 }, { status: 'gone' }, { color: 'red' }])
      given(itemCreated()).when(update(data)).thenRejected('VALIDATION_FAILED');
  });

  it('does not lock an item that lacks a value which became required later', () => {
    const fields = [...articleFields, { name: 'author', type: 'text', required: true } as const];
    given(itemCreated())
      .when(update({ title: 'Bye' }, { fields }))
      .then([itemPatched({ title: 'Hello' }, { title: 'Bye' })]);
  });

  it('answers alike for an id nobody has, of another site and of another collection', () => {
    const answers = [
      given().when(update({ title: 'Bye' })).decision,
      given(itemCreated()).when(update({ title: 'Bye' }, { siteId: 'site_b' })).decision,
      given(itemCreated()).when(update({ title: 'Bye' }, { collection: 'pages' })).decision,
    ];
    for (const answer of answers) expect(answer).toEqual(answers[0]);
    given()
      .when(update({ title: 'Bye' }))
      .thenRejected('FORBIDDEN');
  });

  it('says that a deleted item of the own site is gone', () => {
    given(itemCreated(), itemDeleted())
      .when(update({ title: 'Bye' }))
      .thenRejected('GONE');
  });

  it('refuses a version that has moved on, also when nothing would change', () => {
    given(itemCreated())
      .when(update({ title: 'Bye' }, { ifMatch: 2 }))
      .thenRejected('CONFLICT');
    given(itemCreated())
      .when(update({ title: 'Hello' }, { ifMatch: 2 }))
      .thenRejected('CONFLICT');
    given(itemCreated())
      .when(update({ title: 'Bye' }, { ifMatch: 3 }))
      .then([itemPatched({ title: 'Hello' }, { title: 'Bye' })]);
  });
});
