import { giveUpDeployment } from '@app/deployments';
import { deploymentDeadlines, type DeploymentEvent } from '@app/deployments/contract';
import type { Consumers, Database, Executor } from '@app/event-store';
import type { Context, Recorded } from '@app/kernel';
import { deadlineCommand, Deadlines } from '@app/scheduler';

export type DeploymentOutcomesOptions = {
  readonly db: Database;
  readonly consumers: Consumers;
  readonly executor: Executor;
  readonly onError: (error: unknown) => void;
  readonly now?: () => Date;
};

/** Deployments whose process was lost before it heard of an outcome end as unknown. */
export const deploymentOutcomes = ({ db, consumers, executor, onError, ...clock }: DeploymentOutcomesOptions): Deadlines => {
  const giveUp = giveUpDeployment(executor);
  return new Deadlines({
    name: 'deployment-outcomes', db, consumers, onError, ...clock,
    filter: { categories: ['deployment'] },
    changes: (event: Recorded) => deploymentDeadlines(event as Recorded<DeploymentEvent>),
    fire: async (deadline, now) => {
      const { key, siteId, dueAt } = deadline;
      const commandId = deadlineCommand('give-up', deadline, `give-up:${key}:${dueAt.getTime()}`);
      const context: Context = { actor: { kind: 'service', id: 'deployment-outcomes' }, siteId, now, correlationId: commandId, commandId, repeatable: true };
      const done = await giveUp(key, context);
      if (done === 'done') return done;
      throw new Error(`Deployment ${key} could not be given up: ${done.rejection.detail}`);
    },
  });
};
