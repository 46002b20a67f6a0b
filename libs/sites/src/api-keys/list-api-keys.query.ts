import { Query } from '@app/kernel';
import type { ApiKeyView } from './api-key.view';

export class ListApiKeys extends Query<{ readonly rows: readonly ApiKeyView[]; readonly nextCursor: string | null; readonly position: bigint }> {
  constructor(
    readonly siteId: string,
    readonly page: { readonly limit: number; readonly cursor?: string | undefined; readonly minPosition?: bigint | undefined },
  ) {
    super();
  }
}
