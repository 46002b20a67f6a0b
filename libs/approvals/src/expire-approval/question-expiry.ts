import type { Executor } from '@app/event-store';
import { accept, type Context, type Rejected } from '@app/kernel';
import { approval } from '../approval.state';
import { expireApproval } from './expire-approval.decide';

/** What a timer calls when a question has come due that holds no call: a plan, an artifact or a schema change. It ends, and nothing was agreed to. */
export const questionExpiry =
  (executor: Executor) =>
  async (approvalId: string, context: Context): Promise<'done' | Rejected> => {
    const done = await executor.execute({ approval: { aggregate: approval, id: approvalId } }, context, (states) => {
      const expired = expireApproval(states.approval, context.now);
      return expired.ok ? accept({ approval: expired.events }) : expired;
    });
    return done.ok ? 'done' : done;
  };
