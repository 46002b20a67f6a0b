import { Command, type Context, type Outcome } from '@app/kernel';
import type { FileView } from '../desk-list/file.view';
import type { DeskAsker } from '../desk-asker.policy';
import type { DeskChange } from '../desk.schema';

/** One change of one file on the desk of whoever asks. There is no other command that changes a desk. */
export class ChangeDesk extends Command<Outcome<FileView>> {
  constructor(
    readonly change: DeskChange,
    readonly asker: DeskAsker,
    readonly context: Context,
  ) {
    super();
  }
}
