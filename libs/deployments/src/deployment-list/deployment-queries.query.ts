import { Query, type Outcome } from '@app/kernel';
import { z } from 'zod';
import { DEPLOYMENT_STATUSES } from '../deployment.schema';
import type { DeploymentTargetView, DeploymentView } from './deployment.view';

type Page<Row> = { readonly rows: readonly Row[]; readonly nextCursor: string | null; readonly position: bigint };

/** What a list of deployments may be narrowed to. */
export const DeploymentFilter = z.strictObject({ target: z.string().min(1).max(64).optional(), status: z.enum(DEPLOYMENT_STATUSES).optional() });
export type DeploymentFilter = z.infer<typeof DeploymentFilter>;

export class ListDeployments extends Query<Page<DeploymentView>> {
  constructor(
    readonly siteId: string,
    readonly page: DeploymentFilter & { readonly limit: number; readonly cursor?: string | undefined; readonly minPosition?: bigint | undefined },
  ) {
    super();
  }
}

export class GetDeployment extends Query<Outcome<DeploymentView>> {
  constructor(
    readonly deploymentId: string,
    readonly siteId: string,
  ) {
    super();
  }
}

export class ListDeploymentTargets extends Query<Page<DeploymentTargetView>> {
  constructor(
    readonly siteId: string,
    readonly page: { readonly limit: number; readonly cursor?: string | undefined },
  ) {
    super();
  }
}
