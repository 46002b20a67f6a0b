import { Query, type Outcome } from '@app/kernel';
import type { ConstitutionView } from './constitution.view';

export type ConstitutionFilter = {
  readonly limit: number;
  readonly cursor?: string | undefined;
  readonly status?: string | undefined;
  readonly minPosition?: bigint | undefined;
};
export type ConstitutionPage = { readonly rows: readonly ConstitutionView[]; readonly nextCursor: string | null; readonly position: bigint };

/** The versions of a site, newest first. */
export class ListConstitutions extends Query<ConstitutionPage> {
  constructor(
    readonly siteId: string,
    readonly filter: ConstitutionFilter,
  ) {
    super();
  }
}

/** One version, answered from the log itself. */
export class GetConstitution extends Query<Outcome<ConstitutionView>> {
  constructor(
    readonly constitutionId: string,
    readonly siteId: string,
  ) {
    super();
  }
}
