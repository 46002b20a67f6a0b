import { Query, type Outcome } from '@app/kernel';
import type { FlowView } from './flow.view';

export class ListFlows extends Query<{ readonly rows: readonly FlowView[]; readonly nextCursor: string | null; readonly position: bigint }> {
  constructor(
    readonly siteId: string,
    readonly page: { readonly limit: number; readonly cursor?: string | undefined; readonly minPosition?: bigint | undefined },
  ) {
    super();
  }
}

export class GetFlow extends Query<Outcome<FlowView>> {
  constructor(
    readonly flowId: string,
    readonly siteId: string,
  ) {
    super();
  }
}
