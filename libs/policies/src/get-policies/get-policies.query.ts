import { Query, type Outcome } from '@app/kernel';
import type { PoliciesView } from '../policies.view';

export class GetPolicies extends Query<Outcome<PoliciesView>> {
  constructor(readonly siteId: string) {
    super();
  }
}
