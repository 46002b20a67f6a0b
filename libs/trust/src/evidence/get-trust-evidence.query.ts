import type { Settings } from '@app/governance/contract';
import { Query } from '@app/kernel';
import type { IncidentView } from '../incident-list/incident.view';
import type { Evidence } from '../promotion.policy';

/** What the log says for and against each role under a capability, in the order asked; streaks are counted up to a thousand or to what the site asks for. */
export class GetTrustEvidence extends Query<readonly Evidence[]> {
  constructor(
    readonly siteId: string,
    readonly keys: readonly { readonly agentRole: string; readonly capability: string }[],
    readonly required: Settings['promotion'],
    readonly openIncidents: readonly IncidentView[],
    readonly minPosition?: bigint,
  ) {
    super();
  }
}
