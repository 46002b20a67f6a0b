import type { DeskFile, KnownFile } from '../desk-file.state';
import type { DeskDifference } from './preview-changes.query';

const placeOf = ({ folder, name }: KnownFile) => (folder === '' ? name : `${folder}/${name}`);

/** What a change does to a file, under the place where the file lies before it. */
export const differencesBetween = (before: DeskFile, after: DeskFile): readonly DeskDifference[] => {
  if (after.status === 'none') return [];
  if (before.status === 'none') return [{ path: placeOf(after), before: null, after: after.content }];
  const at = placeOf(before);
  if (before.status !== after.status) return [{ path: at, before: before.status === 'live' ? before.content : null, after: after.status === 'live' ? after.content : null }];
  return [
    ...(placeOf(after) === at ? [] : [{ path: at, before: at, after: placeOf(after) }]),
    ...(JSON.stringify(before.content) === JSON.stringify(after.content) ? [] : [{ path: at, before: before.content, after: after.content }]),
  ];
};
