import { Query, type Context, type Outcome } from '@app/kernel';
import type { ProofView } from './proof.view';

/** The inclusion proof of an event of the caller's site. */
export class GetProof extends Query<Outcome<ProofView>> {
  constructor(
    readonly eventId: string,
    readonly context: Pick<Context, 'siteId'>,
    readonly minPosition?: bigint,
  ) {
    super();
  }
}
