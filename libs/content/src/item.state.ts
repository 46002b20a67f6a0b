import { unreachable, type Aggregate } from '@app/kernel';
import type { ItemData, ItemEvent } from './item.events';

type Known = { readonly siteId: string; readonly collection: string; readonly createdAt: string; readonly updatedAt: string };
export type LiveItem = Known & { readonly status: 'live'; readonly data: ItemData };
export type DeletedItem = Known & { readonly status: 'deleted' };
export type Item = { readonly status: 'none' } | LiveItem | DeletedItem;

/** The data after a patch: null takes a value away. */
export const patched = (data: ItemData, patch: ItemData): ItemData =>
  Object.fromEntries(Object.entries({ ...data, ...patch }).filter(([, value]) => value !== null));

export const item: Aggregate<Item, ItemEvent> = {
  category: 'item',
  stateVersion: 1,
  initial: { status: 'none' },
  evolve: (state, event) => {
    if (event.type === 'ItemCreated') {
      const { at, ...created } = event.data;
      return { status: 'live', ...created, createdAt: at, updatedAt: at };
    }
    if (state.status !== 'live') return state;
    switch (event.type) {
      case 'ItemPatched':
        return { ...state, data: patched(state.data, event.data.patch), updatedAt: event.data.at };
      case 'ItemDeleted': {
        const { data: _removed, ...known } = state;
        return { ...known, status: 'deleted', updatedAt: event.data.at };
      }
      default:
        return unreachable(event);
    }
  },
};
