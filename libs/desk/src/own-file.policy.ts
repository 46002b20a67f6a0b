import { missing, reject, type Rejected } from '@app/kernel';
import type { DeskFile, KnownFile } from './desk-file.state';

/** Whose desk it is, on which site. */
export type DeskOwner = { readonly siteId: string; readonly ownerId: string };

type Found = { readonly ok: true; readonly file: KnownFile } | Rejected;

/** A file of the owner, deleted or not. What belongs to somebody else answers as what never was. */
export const ownFile = (state: DeskFile, { siteId, ownerId }: DeskOwner): Found =>
  state.status === 'none' || state.siteId !== siteId || state.ownerId !== ownerId ? missing() : { ok: true, file: state };

/** A file of the owner that is not deleted. */
export const liveFile = (state: DeskFile, owner: DeskOwner): Found => {
  const found = ownFile(state, owner);
  return found.ok && found.file.status === 'deleted' ? reject('gone', 'GONE', 'This desk file was deleted; it can be restored.') : found;
};
