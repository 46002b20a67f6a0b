import { eventFamily, type EventOf } from '@app/kernel';
import { z } from 'zod';
import { FILE_TYPES, FileContent, Revision } from './desk.schema';

/** A file as it was before a change took it away. */
const FileRevision = z.strictObject({ revision: Revision, name: z.string(), folder: z.string(), content: FileContent });

/** `ownerId` is the person the file belongs to, `revision` the number of the content it holds from here on. */
const About = { ownerId: z.string(), at: z.string() };

export const deskEvents = eventFamily('desk', {
  DeskFileCreated: z.strictObject({ ...About, fileId: z.string(), siteId: z.string(), type: z.enum(FILE_TYPES), name: z.string(), folder: z.string(), content: FileContent, revision: Revision }),
  DeskFileUpdated: z.strictObject({ ...About, content: FileContent, revision: Revision, fileRevision: FileRevision }),
  DeskFileRenamed: z.strictObject({ ...About, name: z.string(), folder: z.string(), before: z.strictObject({ name: z.string(), folder: z.string() }) }),
  DeskFileDeleted: z.strictObject({ ...About, fileRevision: FileRevision }),
  /** `restored` is the number of the revision whose content it holds again. What a file held that was not deleted is stored, too. */
  DeskFileRestored: z.strictObject({ ...About, restored: Revision, wasDeleted: z.boolean(), content: FileContent, revision: Revision, fileRevision: FileRevision.optional() }),
});
export type DeskEvent = EventOf<typeof deskEvents>;
