import { unreachable, type Aggregate } from '@app/kernel';
import { bytesOf } from './cells.policy';
import type { DeskEvent } from './desk-file.events';
import type { FileContent } from './desk.schema';

export type KnownFile = {
  readonly status: 'live' | 'deleted';
  readonly fileId: string;
  readonly siteId: string;
  readonly ownerId: string;
  readonly type: 'markdown' | 'cells';
  readonly name: string;
  readonly folder: string;
  readonly content: FileContent;
  /** Of the content; those before it are stored. */
  readonly revision: number;
  readonly createdAt: string;
  readonly changedAt: string;
};
export type DeskFile = { readonly status: 'none' } | KnownFile;

/** A deleted file keeps what it held: only people can tell what is over for good. */
export const deskFile: Aggregate<DeskFile, DeskEvent> = {
  category: 'desk',
  stateVersion: 1,
  initial: { status: 'none' },
  bytesOf: (state) => (state.status === 'none' ? 500 : 500 + 2 * bytesOf(state.content)),
  evolve: (state, event) => {
    if (event.type === 'DeskFileCreated') {
      const { at, ...made } = event.data;
      return { status: 'live', ...made, createdAt: at, changedAt: at };
    }
    if (state.status === 'none') return state;
    const changedAt = event.data.at;
    switch (event.type) {
      case 'DeskFileUpdated':
        return { ...state, content: event.data.content, revision: event.data.revision, changedAt };
      case 'DeskFileRenamed':
        return { ...state, name: event.data.name, folder: event.data.folder, changedAt };
      case 'DeskFileDeleted':
        return { ...state, status: 'deleted', changedAt };
      case 'DeskFileRestored':
        return { ...state, status: 'live', content: event.data.content, revision: event.data.revision, changedAt };
      default:
        return unreachable(event);
    }
  },
};
