import { describe, expect, it } from '@jest/globals';
import type { Recorded } from '@app/kernel';
import { context } from '@app/kernel/testing';
import { project } from '@app/projections/contract';
import type { CollectionEvent } from '../collection.events';
import { collection, collectionId } from '../collection.state';
import { articlesCreated } from '../content.examples';
import { collections, type CollectionRow } from './collections.projection';
import { collectionView } from './collection.view';

const LATER = '2030-01-02T10:00:00.000Z';
const streamId = `collection-${collectionId('site_a', 'articles')}`;
const recorded = (event: CollectionEvent, version: number): Recorded<CollectionEvent> => ({
  ...event,
  version,
  position: BigInt(version),
  streamId,
  eventId: `event-${version}`,
  schemaVersion: 1,
  siteId: 'site_a',
  occurredAt: event.data.at,
  metadata: { actor: context().actor, correlationId: 'corr-1', commandId: 'cmd-1' },
  chain: { leaf: '', batch: 1n },
});

describe('The list of collections', () => {
  it('shows a collection as its stream folds to it', () => {
    const history: CollectionEvent[] = [
      articlesCreated(),
      { type: 'FieldAdded', data: { field: { name: 'author', type: 'text' }, at: LATER } },
    ];
    const state = history.reduce(collection.evolve, collection.initial);
    const id = collectionId('site_a', 'articles');
    const row = history
      .map((event, index) => recorded(event, index + 1))
      .reduce<CollectionRow | null>((before, event) => project(collections, before, event, id), null);
    if (state.status !== 'live') throw new Error('The collection exists');
    expect(row).toEqual({ id, siteId: 'site_a', ...collectionView(state, 2) });
    expect(row).toMatchObject({ updatedAt: LATER, version: 2 });
  });
});
