import { Query, type Context, type Outcome } from '@app/kernel';
import { z } from 'zod';
import type { DeskAsker } from '../desk-asker.policy';
import { FileId, Folder, Revision } from '../desk.schema';
import type { FileRevisionSummary, FileRevisionView, FileSummary, FileView, FoundFile, Listed } from './file.view';

type Asked = Pick<Context, 'siteId' | 'actor'>;

/** At most this many hits: each is read with its whole text. */
const MAX_HITS = 20;
const Cursor = z.string().min(1).max(1024).optional();

export const ListFilesInput = z.strictObject({
  folder: Folder.optional().describe('Only files of this folder itself'), deleted: z.boolean().default(false), limit: z.int().min(1).max(200).default(50), cursor: Cursor,
});
export const ReadFileInput = z.strictObject({ fileId: FileId, revision: Revision.optional().describe('As it was at a stored revision') });
/** Every word must be there, in name, folder or content; case does not count. */
export const SearchFilesInput = z.strictObject({ query: z.string().min(1).max(200).regex(/\S/, 'Name at least one word'), limit: z.int().min(1).max(MAX_HITS).default(10), cursor: Cursor });

export class ListDeskFiles extends Query<Outcome<Listed<FileSummary>>> {
  constructor(readonly input: z.infer<typeof ListFilesInput>, readonly asker: DeskAsker, readonly context: Asked, readonly minPosition?: bigint) {
    super();
  }
}

/** From the log, so that a file can be read as soon as it was written. One that is deleted is gone, and its revisions are not. */
export class ReadDeskFile extends Query<Outcome<FileView>> {
  constructor(readonly fileId: string, readonly asker: DeskAsker, readonly context: Asked) {
    super();
  }
}

export class SearchDesk extends Query<Outcome<Listed<FoundFile>>> {
  constructor(readonly input: z.infer<typeof SearchFilesInput>, readonly asker: DeskAsker, readonly context: Asked, readonly minPosition?: bigint) {
    super();
  }
}

/** Of a deleted file, too. */
export class ListFileRevisions extends Query<Outcome<Listed<FileRevisionSummary>>> {
  constructor(readonly fileId: string, readonly page: { readonly limit: number; readonly cursor?: string | undefined }, readonly asker: DeskAsker, readonly context: Asked) {
    super();
  }
}

export class ReadFileRevision extends Query<Outcome<FileRevisionView>> {
  constructor(readonly fileId: string, readonly revision: number, readonly asker: DeskAsker, readonly context: Asked) {
    super();
  }
}
