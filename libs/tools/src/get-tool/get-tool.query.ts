import { Query, type Outcome } from '@app/kernel';
import type { ToolDetail } from './tool-detail.view';

/** `mayWrite`: whoever asks may register tools, and so may see where one lives. */
export class GetTool extends Query<Outcome<ToolDetail>> {
  constructor(
    readonly siteId: string,
    readonly name: string,
    readonly mayWrite: boolean,
  ) {
    super();
  }
}
