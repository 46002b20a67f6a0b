import { questionExpiry } from '@app/approvals';
import { approvalDeadlines } from '@app/approvals/contract';
import { reviewExpiry } from '@app/artifacts';
import type { Consumers, Database, Executor } from '@app/event-store';
import type { Context, Recorded } from '@app/kernel';
import { deadlineCommand, Deadlines, type Deadline } from '@app/scheduler';
import { parkedCallExpiry } from '@app/tool-calls';
import { promotionExpiry } from '@app/trust';

export type ApprovalExpiryOptions = {
  readonly db: Database;
  readonly consumers: Consumers;
  readonly executor: Executor;
  readonly onError: (error: unknown) => void;
  readonly now?: () => Date;
};

/** Approvals that nobody decided in time end, whoever waits for them learns it, and what they held never runs. */
export const approvalExpiry = ({ db, consumers, executor, onError, ...clock }: ApprovalExpiryOptions): Deadlines => {
  const question = questionExpiry(executor);
  const byKind = new Map([['tool_call', parkedCallExpiry(executor)], ['promotion', promotionExpiry(executor)], ['artifact', reviewExpiry(executor)]]);
  return new Deadlines({
    name: 'approval-expiry', db, consumers, onError, ...clock,
    filter: { categories: ['approval'] },
    changes: (event: Recorded) => approvalDeadlines(event as unknown as Parameters<typeof approvalDeadlines>[0]),
    fire: async (deadline, now) => {
      const expire = byKind.get(deadline.topic) ?? question;
      const fired = await expire(deadline.key, contextOf(deadline, now));
      if (typeof fired === 'string') return fired;
      throw new Error(`Approval ${deadline.key} could not be expired: ${fired.rejection.detail}`);
    },
  });
};

/** However often it fires, the log takes it once. */
const contextOf = (deadline: Deadline, now: Date): Context => {
  const { key, siteId, dueAt } = deadline;
  const commandId = deadlineCommand('expire', deadline, `expire:${key}:${dueAt.getTime()}`);
  return { actor: { kind: 'service', id: 'approval-expiry' }, siteId, now, correlationId: commandId, commandId, repeatable: true };
};
