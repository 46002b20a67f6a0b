import { z } from 'zod';

/** What the hook is told beside the target. Secrets are not passed here: the target names them. */
export const DeploymentParameters = z
  .record(z.string().regex(/^[A-Za-z][A-Za-z0-9_.-]{0,63}$/, 'Must be a name, e.g. ref'), z.union([z.string().max(2_000), z.number(), z.boolean()]))
  .refine((parameters) => Object.keys(parameters).length <= 50, 'At most 50');
export type DeploymentParameters = z.infer<typeof DeploymentParameters>;

export const DEPLOYMENT_STATUSES = ['triggered', 'succeeded', 'failed'] as const;
