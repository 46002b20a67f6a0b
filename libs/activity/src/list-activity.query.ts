import { Query } from '@app/kernel';
import type { ActivityView } from './activity.view';

export type ActivityFilter = {
  readonly limit: number;
  readonly cursor?: string | undefined;
  readonly kind?: ActivityView['kind'] | undefined;
  readonly subjectId?: string | undefined;
  readonly minPosition?: bigint | undefined;
};
export type ActivityPage = { readonly rows: readonly ActivityView[]; readonly nextCursor: string | null; readonly position: bigint };

/** The feed of a site, newest first. */
export class ListActivity extends Query<ActivityPage> {
  constructor(
    readonly siteId: string,
    readonly filter: ActivityFilter,
  ) {
    super();
  }
}
