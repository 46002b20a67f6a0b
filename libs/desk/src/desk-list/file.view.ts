import { z } from 'zod';
import { bytesOf } from '../cells.policy';
import { FILE_TYPES, FileContent } from '../desk.schema';
import type { KnownFile } from '../desk-file.state';

/** A file as a list shows it. `bytes` is the size of its content. */
export const FileSummary = z.object({
  id: z.string(),
  type: z.enum(FILE_TYPES),
  name: z.string(),
  folder: z.string(),
  status: z.enum(['live', 'deleted']),
  revision: z.int(),
  bytes: z.int(),
  createdAt: z.string(),
  changedAt: z.string(),
}).meta({ id: 'DeskFileSummary' });
export type FileSummary = Readonly<z.infer<typeof FileSummary>>;

export const FileView = FileSummary.extend({ content: FileContent }).meta({ id: 'DeskFile' });
export type FileView = Readonly<z.infer<typeof FileView>>;

/** A file that a search found, with what stands around the first word. */
export const FoundFile = FileSummary.extend({ excerpt: z.string() }).meta({ id: 'FoundDeskFile' });
export type FoundFile = Readonly<z.infer<typeof FoundFile>>;

/** What a file held before a change. */
export const FileRevisionSummary = z.object({
  fileId: z.string(),
  revision: z.int(),
  cause: z.enum(['updated', 'deleted', 'restored']),
  name: z.string(),
  folder: z.string(),
  bytes: z.int(),
  by: z.string(),
  runId: z.string().nullable(),
  at: z.string(),
}).meta({ id: 'DeskFileRevisionSummary' });
export type FileRevisionSummary = Readonly<z.infer<typeof FileRevisionSummary>>;

export const FileRevisionView = FileRevisionSummary.extend({ content: FileContent }).meta({ id: 'DeskFileRevision' });
export type FileRevisionView = Readonly<z.infer<typeof FileRevisionView>>;

/** One page; the position is the answer's own. */
export type Listed<R> = { readonly rows: readonly R[]; readonly nextCursor: string | null };

export const fileSummary = ({ fileId: id, type, name, folder, status, revision, content, createdAt, changedAt }: KnownFile): FileSummary => ({
  id, type, name, folder, status, revision, bytes: bytesOf(content), createdAt, changedAt,
});
export const fileView = (file: KnownFile): FileView => ({ ...fileSummary(file), content: file.content });
