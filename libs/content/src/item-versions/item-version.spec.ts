import { describe, it } from '@jest/globals';
import { context, robot, specification } from '@app/kernel/testing';
import { articles, AT, itemCreated, itemDeleted, itemPatched } from '../content.examples';
import type { ItemData, ItemEvent } from '../item.events';
import { item, type Item } from '../item.state';
import { re2Patterns } from '../re2-patterns';
import { decideCreateVersion, decideDeleteVersion, decidePromoteVersion, decideUpdateVersion } from './item-version.decide';

const given = specification(item);
const body = { collection: 'articles', name: 'spring' };
const states = (state: Item) => ({ item: state, collection: articles() });
const create = (data?: Record<string, unknown>, name = 'spring') => (state: Item) => decideCreateVersion(states(state), 1, { ...body, name, data }, context(), re2Patterns);
const update = (data: Record<string, unknown>) => (state: Item) => decideUpdateVersion(states(state), 2, { ...body, data }, context(), re2Patterns);
const promote = (by = {}) => (state: Item) => decidePromoteVersion(states(state), 2, body, context(by), re2Patterns);
const remove = () => (state: Item) => decideDeleteVersion(states(state), 2, body, context());

const created = (changes: ItemData = { title: 'Spring' }, name = 'spring'): ItemEvent => ({ type: 'VersionCreated', data: { collection: 'articles', name, baseVersion: 1, changes, at: AT } });
const updated = (changes: ItemData): ItemEvent => ({ type: 'VersionUpdated', data: { ...body, changes, at: AT } });
const promoted = (before: ItemData, patch: ItemData): ItemEvent => ({ type: 'VersionPromoted', data: { ...body, before, patch, at: AT } });
const deleted: ItemEvent = { type: 'VersionDeleted', data: { ...body, at: AT } };
const pinned: ItemEvent = { type: 'FieldPinned', data: { collection: 'articles', field: 'title', by: 'key_ada', at: AT } };

describe('A named version', () => {
  it('is opened with changes, or without any', () => {
    given(itemCreated()).when(create({ title: 'Spring' })).then([created()]);
    given(itemCreated()).when(create()).then([created({})]);
  });

  it('has a name of its own while it is open, which is free again afterwards', () => {
    given(itemCreated(), created()).when(create()).thenRejected('CONFLICT');
    given(itemCreated(), created(), deleted).when(create()).then([created({})]);
    given(itemCreated()).when(create({}, 'lumibase_spring')).thenRejected('RESERVED_NAME');
    given(itemCreated(), ...Array.from({ length: 20 }, (_one, n) => created({}, `v${n}`))).when(create()).thenRejected('CONFLICT');
  });

  it('holds only what fits the collection', () => {
    given(itemCreated()).when(create({ colour: 'red' })).thenRejected('VALIDATION_FAILED');
    given(itemCreated(), created()).when(update({ title: null })).thenRejected('VALIDATION_FAILED');
  });

  it('gathers changes', () => {
    given(itemCreated(), created()).when(update({ words: 3, title: 'May' })).then([updated({ title: 'May', words: 3 })]);
    given(itemCreated(), created()).when(update({ title: 'Spring' })).then([]);
  });

  it('goes live in one revision, with what still differs', () => {
    given(itemCreated(), created({ title: 'Spring', words: 3, status: 'draft' })).when(promote()).then([promoted({ title: 'Hello', words: null }, { title: 'Spring', words: 3 })]);
    given(itemCreated(), created(), itemPatched({ title: 'Hello' }, { title: 'Spring' })).when(promote()).then([promoted({}, {})]);
  });

  it('is not promoted by an agent where a person has pinned what it changes', () => {
    given(itemCreated(), created(), pinned).when(promote({ actor: robot })).thenRejected('PINNED_BY_HUMAN');
    given(itemCreated(), created({ words: 3 }), pinned).when(promote({ actor: robot })).then([promoted({ words: null }, { words: 3 })]);
    given(itemCreated(), created(), pinned).when(promote()).then([promoted({ title: 'Hello' }, { title: 'Spring' })]);
  });

  it('is gone when it was deleted or promoted, or with its item; one that never was is unknown', () => {
    for (const act of [update({}), promote(), remove()]) {
      given(itemCreated(), created(), deleted).when(act).thenRejected('GONE');
      given(itemCreated(), created(), promoted({}, {})).when(act).thenRejected('GONE');
      given(itemCreated(), created(), itemDeleted()).when(act).thenRejected('GONE');
      given(itemCreated()).when(act).thenRejected('FORBIDDEN');
      given().when(act).thenRejected('FORBIDDEN');
    }
    given(itemCreated(), created()).when(remove()).then([deleted]);
  });
});
