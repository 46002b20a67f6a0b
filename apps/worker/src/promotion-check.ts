import type { Bus } from '@app/cqrs';
import { nextRun } from '@app/cron';
import type { Consumers, Database } from '@app/event-store';
import type { Context, Recorded } from '@app/kernel';
import { deadlineCommand, Deadlines } from '@app/scheduler';
import { CheckPromotions } from '@app/trust/contract';

export type PromotionCheckOptions = {
  readonly db: Database;
  readonly consumers: Consumers;
  readonly bus: Pick<Bus, 'send'>;
  /** Cron, in UTC. */
  readonly schedule: string;
  readonly onError: (error: unknown) => void;
  readonly now?: () => Date;
};

/** Once a day, when people sleep: a proposal waits for them in the morning. */
export const DAILY = '0 3 * * *';

/** Every site's trust is looked at by the clock, too, from the day on which the site was made. A check proposes; it promotes nobody. */
export const promotionCheck = ({ db, consumers, bus, schedule, onError, ...clock }: PromotionCheckOptions): Deadlines => {
  const after = (at: Date) => nextRun(schedule, 'UTC', at);
  return new Deadlines({
    name: 'promotion-check', db, consumers, onError, ...clock,
    filter: { types: ['SiteCreated'] },
    changes: ({ siteId, occurredAt }: Recorded) => {
      const at = after(new Date(occurredAt));
      return at ? [{ set: siteId, at: at.toISOString(), topic: 'promotions' }] : [];
    },
    fire: async (deadline, now) => {
      const { siteId, dueAt } = deadline;
      const commandId = deadlineCommand('promotion-check', deadline, `promotion-check:${siteId}:${dueAt.getTime()}`);
      const context: Context = { actor: { kind: 'service', id: 'promotion-check' }, siteId, now, correlationId: commandId, commandId };
      const checked = await bus.send(new CheckPromotions(context));
      if (!checked.ok) throw new Error(`The promotions of ${siteId} were not checked: ${checked.rejection.detail}`);
      const again = after(now);
      return again ? { again } : 'done';
    },
  });
};
