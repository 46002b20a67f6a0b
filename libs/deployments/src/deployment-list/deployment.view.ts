import { z } from 'zod';
import { DEPLOYMENT_STATUSES, DeploymentParameters } from '../deployment.schema';
import type { KnownDeployment } from '../deployment.state';

/** `answer` is what the hook said; `failure` why it did not take the deployment. */
export const DeploymentView = z.object({
  id: z.string(),
  target: z.string(),
  hook: z.object({ url: z.string(), method: z.string() }),
  status: z.enum(DEPLOYMENT_STATUSES),
  reason: z.string().nullable(),
  parameters: DeploymentParameters,
  triggeredBy: z.string(),
  runId: z.string().nullable(),
  triggeredAt: z.string(),
  attempts: z.int(),
  answer: z.string().nullable(),
  failure: z.object({ code: z.string(), reason: z.string() }).nullable(),
  durationMs: z.number().nullable(),
  endedAt: z.string().nullable(),
}).meta({ id: 'Deployment' });
export type DeploymentView = Readonly<z.infer<typeof DeploymentView>>;

/** As configured: secrets by name. */
export const DeploymentTargetView = z.object({ name: z.string(), url: z.string(), method: z.string(), auth: z.string().nullable() }).meta({ id: 'DeploymentTarget' });
export type DeploymentTargetView = Readonly<z.infer<typeof DeploymentTargetView>>;

export const deploymentView = ({ deploymentId: id, siteId: _site, ...state }: KnownDeployment): DeploymentView => {
  const { target, hook, status, reason, parameters, triggeredBy, runId, triggeredAt, attempts } = state;
  return {
    id, target, hook, status, reason, parameters, triggeredBy, runId, triggeredAt, attempts,
    answer: state.status === 'succeeded' ? state.answer : null,
    failure: state.status === 'failed' ? state.failure : null,
    durationMs: state.status === 'triggered' ? null : state.durationMs,
    endedAt: state.status === 'triggered' ? null : state.endedAt,
  };
};
