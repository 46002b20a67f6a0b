import { Command, type Context, type Outcome } from '@app/kernel';
import type { ToolView } from '../tool-list/tool.view';

/** Takes a site's override away, so that the skill is what this program says it is, and on; or removes a tool of the site's own. */
export class RemoveOverride extends Command<Outcome<ToolView>> {
  constructor(
    readonly name: string,
    readonly context: Context,
  ) {
    super();
  }
}
