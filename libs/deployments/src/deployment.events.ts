import { eventFamily, type EventOf } from '@app/kernel';
import { z } from 'zod';
import { DeploymentParameters } from './deployment.schema';

export const deploymentEvents = eventFamily('deployment', {
  /** Written before the hook is called. `hook` is how it was configured then, secrets by name. */
  DeploymentTriggered: z.strictObject({
    deploymentId: z.string(),
    siteId: z.string(),
    target: z.string(),
    hook: z.strictObject({ url: z.string(), method: z.string() }),
    reason: z.string().nullable(),
    parameters: DeploymentParameters,
    triggeredBy: z.string(),
    runId: z.string().nullable(),
    at: z.string(),
  }),
  /** The hook took it. `answer` is what it said, shortened. */
  DeploymentSucceeded: z.strictObject({ answer: z.string().nullable(), durationMs: z.number(), at: z.string() }),
  /** `durationMs` is null where nobody knows whether the hook was reached. */
  DeploymentFailed: z.strictObject({ code: z.string(), reason: z.string(), durationMs: z.number().nullable(), at: z.string() }),
});
export type DeploymentEvent = EventOf<typeof deploymentEvents>;
