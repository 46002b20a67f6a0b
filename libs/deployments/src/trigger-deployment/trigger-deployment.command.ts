import { Command, type Context, type Outcome } from '@app/kernel';
import { z } from 'zod';
import { DeploymentParameters } from '../deployment.schema';
import type { DeploymentView } from '../deployment-list/deployment.view';

/** `target` is one of the site's deployment targets by name. */
export const TriggerDeploymentBody = z.strictObject({
  target: z.string().min(1).max(64),
  reason: z.string().trim().min(1).max(500).optional(),
  parameters: DeploymentParameters.optional(),
}).meta({ id: 'TriggerDeployment' });
export type TriggerDeploymentBody = z.infer<typeof TriggerDeploymentBody>;

export class TriggerDeployment extends Command<Outcome<DeploymentView>> {
  constructor(
    readonly body: TriggerDeploymentBody,
    readonly context: Context,
  ) {
    super();
  }
}
