import { Query } from '@app/kernel';
import type { FreezeView } from './freeze.view';

/** Every freeze of a site, newest first: those in force always, of the others the last ones. */
export class ListFreezes extends Query<{ readonly active: readonly FreezeView[]; readonly history: readonly FreezeView[]; readonly position: bigint }> {
  constructor(readonly siteId: string) {
    super();
  }
}
