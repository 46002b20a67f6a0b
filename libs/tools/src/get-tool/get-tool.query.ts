import { Query, type Outcome } from '@app/kernel';
import type { ToolDetail } from './tool-detail.view';

export class GetTool extends Query<Outcome<ToolDetail>> {
  constructor(
    readonly siteId: string,
    readonly name: string,
  ) {
    super();
  }
}
