import { Query, type Context, type Outcome } from '@app/kernel';
import type { IntentView } from './intent.view';

export type IntentFilter = { readonly limit: number; readonly cursor?: string | undefined; readonly collection?: string | undefined; readonly minPosition?: bigint | undefined };
export type IntentPage = { readonly rows: readonly IntentView[]; readonly nextCursor: string | null; readonly position: bigint };

export class ListIntents extends Query<IntentPage> {
  constructor(
    readonly filter: IntentFilter,
    readonly context: Pick<Context, 'siteId' | 'now'>,
  ) {
    super();
  }
}

/** Answered from the log itself, so it always shows what was just written. */
export class GetIntent extends Query<Outcome<IntentView>> {
  constructor(
    readonly intentId: string,
    readonly context: Pick<Context, 'siteId' | 'now'>,
  ) {
    super();
  }
}
