import { Query, type Outcome } from '@app/kernel';
import type { RoleView } from './role.view';

/** Every role by name, disabled ones too. The cursor is the last name. */
export class ListRoles extends Query<{ readonly rows: readonly RoleView[]; readonly nextCursor: string | null; readonly position: bigint }> {
  constructor(
    readonly siteId: string,
    readonly page: { readonly limit: number; readonly cursor?: string | undefined },
  ) {
    super();
  }
}

export class GetRole extends Query<Outcome<RoleView>> {
  constructor(
    readonly siteId: string,
    readonly name: string,
  ) {
    super();
  }
}
