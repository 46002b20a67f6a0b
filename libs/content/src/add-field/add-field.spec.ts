import { describe, it } from '@jest/globals';
import { context, specification } from '@app/kernel/testing';
import { collection, type Collection } from '../collection.state';
import { articlesCreated, AT } from '../content.examples';
import { MAX_FIELDS, type Field } from '../field.schema';
import { re2Patterns } from '../re2-patterns';
import { decideAddField } from './add-field.decide';

const given = specification(collection);
const add = (field: Field, ifMatch?: number) => (state: Collection) => decideAddField(state, 1, { field, ifMatch }, context(), re2Patterns);
const author: Field = { name: 'author', type: 'text', required: true };

describe('Adding a field', () => {
  it('puts it behind the others', () => {
    given(articlesCreated())
      .when(add(author))
      .then([{ type: 'FieldAdded', data: { field: author, at: AT } }]);
  });

  it('answers like a foreign record when there is no such collection', () => {
    given().when(add(author)).thenRejected('FORBIDDEN');
  });

  it('takes a name only once', () => {
    given(articlesCreated([author]))
      .when(add(author))
      .thenRejected('CONFLICT');
  });

  it('keeps names that start with lumibase_ for the product', () => {
    given(articlesCreated())
      .when(add({ ...author, name: 'lumibase_author' }))
      .thenRejected('RESERVED_NAME');
  });

  it('refuses a definition that makes no sense', () => {
    given(articlesCreated())
      .when(add({ ...author, constraints: { min: 1 } }))
      .thenRejected('VALIDATION_FAILED');
  });

  it('refuses a change of a schema that has moved on', () => {
    given(articlesCreated()).when(add(author, 0)).thenRejected('CONFLICT');
    given(articlesCreated())
      .when(add(author, 1))
      .then([{ type: 'FieldAdded', data: { field: author, at: AT } }]);
  });

  it('stops at the largest number of fields', () => {
    const full = Array.from({ length: MAX_FIELDS }, (_, n): Field => ({ name: `f${n}`, type: 'text' }));
    given(articlesCreated(full)).when(add(author)).thenRejected('CONFLICT');
  });
});
