import { deskFiles, deskTexts } from './desk-list/desk-files.projection';
import { deskUsage } from './desk-list/desk-usage.projection';
import { fileRevisions } from './file-revisions/file-revisions.projection';

export { deskEvents } from './desk-file.events';
export { DeskModule } from './desk.module';

/** The read models this capability keeps. */
export const deskProjections = [deskFiles, deskTexts, deskUsage, fileRevisions] as const;
