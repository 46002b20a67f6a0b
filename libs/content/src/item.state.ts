import { unreachable, type Aggregate } from '@app/kernel';
import type { ItemData, ItemEvent } from './item.events';

type Known = { readonly siteId: string; readonly collection: string; readonly createdAt: string; readonly updatedAt: string };
export type Pin = { readonly by: string; readonly at: string };
/** Law Zero: a field with a pin is a person's, and no agent writes it. */
export type Pins = Readonly<Record<string, Pin>>;
export type LiveItem = Known & { readonly status: 'live'; readonly data: ItemData; readonly pins: Pins };
export type DeletedItem = Known & { readonly status: 'deleted' };
export type Item = { readonly status: 'none' } | LiveItem | DeletedItem;

/** The data after a patch: null takes a value away. */
export const patched = (data: ItemData, patch: ItemData): ItemData =>
  Object.fromEntries(Object.entries({ ...data, ...patch }).filter(([, value]) => value !== null));

export const item: Aggregate<Item, ItemEvent> = {
  category: 'item',
  stateVersion: 2,
  initial: { status: 'none' },
  evolve: (state, event) => {
    if (event.type === 'ItemCreated') {
      const { at, ...created } = event.data;
      return { status: 'live', ...created, pins: {}, createdAt: at, updatedAt: at };
    }
    if (state.status !== 'live') return state;
    switch (event.type) {
      case 'ItemPatched':
        return { ...state, data: patched(state.data, event.data.patch), updatedAt: event.data.at };
      case 'ItemDeleted': {
        const { data: _removed, pins: _released, ...known } = state;
        return { ...known, status: 'deleted', updatedAt: event.data.at };
      }
      case 'FieldPinned': {
        const { field, by, at } = event.data;
        return { ...state, pins: { ...state.pins, [field]: { by, at } } };
      }
      case 'FieldUnpinned': {
        const { [event.data.field]: _released, ...pins } = state.pins;
        return { ...state, pins };
      }
      default:
        return unreachable(event);
    }
  },
};
