import { Query, type Outcome } from '@app/kernel';
import type { USER_STATUSES } from '../user.schema';
import type { UserView } from './user.view';

type Page = { readonly limit: number; readonly cursor?: string | undefined; readonly status?: (typeof USER_STATUSES)[number] | undefined; readonly minPosition?: bigint | undefined };

export class ListUsers extends Query<{ readonly rows: readonly UserView[]; readonly nextCursor: string | null; readonly position: bigint }> {
  constructor(
    readonly siteId: string,
    readonly page: Page,
  ) {
    super();
  }
}

/** Answered from the log itself, so it always shows what was just written. */
export class GetUser extends Query<Outcome<UserView>> {
  constructor(
    readonly userId: string,
    readonly siteId: string,
  ) {
    super();
  }
}
