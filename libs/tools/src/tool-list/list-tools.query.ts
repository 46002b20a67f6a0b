import { Query } from '@app/kernel';
import type { Held } from './held.view';
import type { ToolView } from './tool.view';

/** Enabled tools by name; with `disabled` also those that the site switched off, with `usableBy` only those whose capabilities are held. */
export class ListTools extends Query<{ readonly rows: readonly ToolView[]; readonly nextCursor: string | null; readonly position: bigint }> {
  constructor(
    readonly siteId: string,
    readonly page: { readonly limit: number; readonly cursor?: string | undefined; readonly disabled: boolean; readonly usableBy?: Held | undefined },
  ) {
    super();
  }
}
