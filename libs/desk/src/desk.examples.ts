import type { DeskEvent } from './desk-file.events';
import type { Cells, FileContent } from './desk.schema';
import type { DeskOwner } from './own-file.policy';

export const FILE = 'desk_01a22c4612f5712dac4379ec3ad00051';
export const AT = '2030-01-01T10:00:00.000Z';
export const adas: DeskOwner = { siteId: 'site_a', ownerId: 'usr_ada' };
export const stock: Cells = { columns: [{ name: 'Item', type: 'text' }, { name: 'Count', type: 'number' }, { name: 'Seen', type: 'date' }], rows: [['Pens', 3, '2030-01-01'], ['Ink', null, null]] };

export const created = (content: FileContent = 'One', more: Partial<Extract<DeskEvent, { type: 'DeskFileCreated' }>['data']> = {}): DeskEvent => ({
  type: 'DeskFileCreated',
  data: { fileId: FILE, ...adas, type: typeof content === 'string' ? 'markdown' : 'cells', name: 'Plan.md', folder: 'notes', content, revision: 1, at: AT, ...more },
});
export const asItWas = (content: FileContent, revision = 1) => ({ revision, name: 'Plan.md', folder: 'notes', content });
export const updated = (content: FileContent, before: FileContent, revision = 2): DeskEvent => ({
  type: 'DeskFileUpdated', data: { ownerId: adas.ownerId, content, revision, fileRevision: asItWas(before, revision - 1), at: AT },
});
export const deleted = (content: FileContent = 'One', revision = 1): DeskEvent => ({ type: 'DeskFileDeleted', data: { ownerId: adas.ownerId, fileRevision: asItWas(content, revision), at: AT } });
