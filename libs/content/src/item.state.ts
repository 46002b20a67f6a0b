import { unreachable, type Aggregate } from '@app/kernel';
import type { EditMeaning, ItemData, ItemEvent } from './item.events';

type Known = { readonly siteId: string; readonly collection: string; readonly createdAt: string; readonly updatedAt: string };
/** The edit by hand that pinned a field, and what its author said that it meant; null until somebody has answered. */
export type PinningEdit = { readonly revision: number; readonly intents: readonly string[]; readonly meaning: EditMeaning | null };
export type Pin = { readonly by: string; readonly at: string; readonly edit?: PinningEdit };
/** Law Zero: a field with a pin is a person's, and no agent writes it. */
export type Pins = Readonly<Record<string, Pin>>;
/** Changes that are not live yet; null takes a value away. */
export type OpenVersion = { readonly status: 'open'; readonly baseVersion: number; readonly changes: ItemData; readonly createdAt: string; readonly updatedAt: string };
export type EndedVersion = { readonly status: 'promoted' | 'deleted'; readonly at: string };
export type NamedVersions = Readonly<Record<string, OpenVersion | EndedVersion>>;
export type LiveItem = Known & { readonly status: 'live'; readonly data: ItemData; readonly pins: Pins; readonly versions: NamedVersions; /** A deletion is under way, or was given up halfway. */ readonly deleting?: true };
export type DeletedItem = Known & { readonly status: 'deleted' };
export type Item = { readonly status: 'none' } | LiveItem | DeletedItem;

/** The data after a patch: null takes a value away. */
export const patched = (data: ItemData, patch: ItemData): ItemData =>
  Object.fromEntries(Object.entries({ ...data, ...patch }).filter(([, value]) => value !== null));

export const item: Aggregate<Item, ItemEvent> = {
  category: 'item',
  stateVersion: 4,
  initial: { status: 'none' },
  evolve: (state, event) => {
    if (event.type === 'ItemCreated') {
      const { siteId, collection, data, at } = event.data;
      return { status: 'live', siteId, collection, data, pins: {}, versions: {}, createdAt: at, updatedAt: at };
    }
    return state.status === 'live' ? evolveLive(state, event) : state;
  },
};

const evolveLive = (state: LiveItem, event: Exclude<ItemEvent, { type: 'ItemCreated' }>): Item => {
  switch (event.type) {
    case 'ItemPatched':
    case 'ItemRestored':
      return { ...state, data: patched(state.data, event.data.patch), updatedAt: event.data.at };
    case 'ItemDeleted': {
      const { data: _removed, pins: _released, versions: _dropped, deleting: _done, ...known } = state;
      return { ...known, status: 'deleted', updatedAt: event.data.at };
    }
    case 'FieldPinned': {
      const { field, by, at, edit } = event.data;
      return { ...state, pins: { ...state.pins, [field]: { by, at, ...(edit && { edit: { ...edit, meaning: null } }) } } };
    }
    case 'FieldUnpinned': {
      const { [event.data.field]: _released, ...pins } = state.pins;
      return { ...state, pins };
    }
    case 'EditExplained':
      return { ...state, pins: explained(state.pins, event.data) };
    case 'DeletionAnnounced':
      return { ...state, deleting: true };
    case 'DeletionWithdrawn': {
      const { deleting: _withdrawn, ...live } = state;
      return live;
    }
    case 'VersionCreated': {
      const { name, baseVersion, changes, at } = event.data;
      return withVersion(state, name, { status: 'open', baseVersion, changes, createdAt: at, updatedAt: at });
    }
    case 'VersionUpdated': {
      const { name, changes, at } = event.data;
      const known = state.versions[name];
      return known?.status === 'open' ? withVersion(state, name, { ...known, changes, updatedAt: at }) : state;
    }
    case 'VersionPromoted': {
      const { name, patch, at } = event.data;
      return withVersion({ ...state, data: patched(state.data, patch), updatedAt: at }, name, { status: 'promoted', at });
    }
    case 'VersionDeleted':
      return withVersion(state, event.data.name, { status: 'deleted', at: event.data.at });
    default:
      return unreachable(event);
  }
};

const explained = (pins: Pins, { revision, meaning }: { readonly revision: number; readonly meaning: EditMeaning }): Pins =>
  Object.fromEntries(Object.entries(pins).map(([field, pin]) => [field, pin.edit?.revision === revision ? { ...pin, edit: { ...pin.edit, meaning } } : pin]));

const withVersion = (state: LiveItem, name: string, version: OpenVersion | EndedVersion): LiveItem => ({ ...state, versions: { ...state.versions, [name]: version } });
