import { describe, it } from '@jest/globals';
import { context, specification } from '@app/kernel/testing';
import { articles, itemCreated, itemDeleted } from '../content.examples';
import { item, type Item } from '../item.state';
import { decideDeleteItem } from './delete-item.decide';

const given = specification(item);
const remove =
  ({ siteId = 'site_a', ifMatch }: { siteId?: string; ifMatch?: number } = {}) =>
  (state: Item) =>
    decideDeleteItem({ item: state, collection: articles() }, 1, { collection: 'articles', ifMatch }, { relations: [], referrers: [] }, context({ siteId }));

describe('Deleting an item', () => {
  it('records the values it had', () => {
    given(itemCreated()).when(remove()).then([itemDeleted()]);
  });

  it('answers like a foreign record for an unknown id and for an item of another site', () => {
    given().when(remove()).thenRejected('FORBIDDEN');
    given(itemCreated())
      .when(remove({ siteId: 'site_b' }))
      .thenRejected('FORBIDDEN');
  });

  it('says that it is gone already', () => {
    given(itemCreated(), itemDeleted()).when(remove()).thenRejected('GONE');
  });

  it('refuses a version that has moved on', () => {
    given(itemCreated())
      .when(remove({ ifMatch: 7 }))
      .thenRejected('CONFLICT');
  });
});
