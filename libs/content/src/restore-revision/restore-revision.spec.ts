import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { context, robot, specification } from '@app/kernel/testing';
import { articles, AT, itemCreated, itemDeleted, itemPatched } from '../content.examples';
import type { ItemData, ItemEvent } from '../item.events';
import { item, patched, type Item } from '../item.state';
import { re2Patterns } from '../re2-patterns';
import { decideRestoreRevision } from './restore-revision.decide';
import { restoredValues } from './restored-values.policy';

const given = specification(item);
const FIRST = { title: 'Hello', status: 'draft' };
const restore =
  (then: ItemData | null = FIRST, by = {}, ifMatch?: number) =>
  (state: Item) =>
    decideRestoreRevision({ item: state, collection: articles() }, 2, { collection: 'articles', revision: 1, ifMatch }, then, context(by), re2Patterns);
const changed = [itemCreated(), itemPatched({ title: 'Hello', words: null }, { title: 'Bye', words: 3 })];
const pinned: ItemEvent = { type: 'FieldPinned', data: { collection: 'articles', field: 'title', by: 'key_ada', at: AT } };

describe('Restoring a revision', () => {
  it('is a revision of its own, which says what it restored', () => {
    given(...changed).when(restore()).then([
      { type: 'ItemRestored', data: { collection: 'articles', revision: 1, before: { title: 'Bye', words: 3 }, patch: { title: 'Hello', words: null }, at: AT } },
    ]);
  });

  it('changes nothing when the item holds the same again', () => given(itemCreated()).when(restore()).then([]));

  it('is an edit as any other: pins, versions and constraints hold', () => {
    given(...changed, pinned).when(restore(FIRST, { actor: robot })).thenRejected('PINNED_BY_HUMAN');
    given(...changed).when(restore(FIRST, {}, 1)).thenRejected('CONFLICT');
    given(...changed).when(restore({ ...FIRST, title: 'Longer than it may be now' })).thenRejected('VALIDATION_FAILED');
  });

  it('leaves a pinned field alone that would not change', () => {
    given(...changed, pinned).when(restore({ title: 'Bye', status: 'draft' }, { actor: robot })).then([
      { type: 'ItemRestored', data: { collection: 'articles', revision: 1, before: { words: 3 }, patch: { words: null }, at: AT } },
    ]);
  });

  it('is refused for a revision that is not there, and for an item that is gone', () => {
    given(...changed).when(restore(null)).thenRejected('FORBIDDEN');
    given(itemCreated(), itemDeleted()).when(restore()).thenRejected('GONE');
    given().when(restore()).thenRejected('FORBIDDEN');
  });

  it('property: gives back exactly what the revision held, whatever came after', () => {
    const data = fc.record({ title: fc.string({ maxLength: 5 }), body: fc.option(fc.string()), words: fc.option(fc.nat()), status: fc.constantFrom('draft', 'published') });
    fc.assert(
      fc.property(data, data, (then, now) => {
        const [was, is] = [patched({}, then as ItemData), patched({}, now as ItemData)];
        expect(patched(is, restoredValues(articles() as never, is, was))).toEqual(was);
      }),
      { numRuns: 200 },
    );
  });
});
