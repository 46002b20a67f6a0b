import type { Executor } from '@app/event-store';
import type { Context, Rejected } from '@app/kernel';
import { deployment } from '../deployment.state';
import { endDeployment } from '../trigger-deployment/end-deployment.decide';

const UNKNOWN = {
  ok: false, code: 'OUTCOME_UNKNOWN', durationMs: null,
  reason: 'The process that called the hook ended before it heard an answer: whether the hook was reached is not known. Look at the target before you deploy again.',
} as const;

/** Ends a deployment that nobody will hear of any more, unless it has ended. */
export const giveUpDeployment = (executor: Executor) => async (deploymentId: string, context: Context): Promise<'done' | Rejected> => {
  const done = await executor.execute({ deployment: { aggregate: deployment, id: deploymentId } }, context, (states) => endDeployment(states, UNKNOWN, context.now));
  return done.ok ? 'done' : done;
};
