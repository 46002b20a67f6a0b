import { PARK_AFTER_FIVE, UNCONCERNED, type Executor, type SubscribeOptions } from '@app/event-store';
import { goal } from '@app/goals/contract';
import { idOf, type Recorded } from '@app/kernel';
import { run } from '@app/runs/contract';
import { HEARD, notificationOf } from '../notification.policy';
import type { Notification } from '../notification.schema';
import { notifySettings } from '../settings/settings.state';
import type { Outbox } from './outbox';
import { deliveriesOf } from './routing.policy';

export type NotificationProcessOptions = { readonly executor: Pick<Executor, 'current'>; readonly outbox: Outbox; readonly now?: () => Date; readonly wake: () => void };

/** Work that nobody waits for makes no noise: the inbox shows how it ended. */
const SILENT_ORIGINS: readonly string[] = ['reconciler', 'flow'];

/** From what happened to what is told of it and to whom. A site that tells nobody costs one look at a state in memory for each event. */
export const notificationProcess = ({ executor, outbox, wake, now = () => new Date() }: NotificationProcessOptions): SubscribeOptions => ({
  name: 'notifications',
  filter: { types: [...HEARD] },
  failure: PARK_AFTER_FIVE,
  handler: async (events, tx) => {
    let told = 0;
    for (const event of events) {
      const notification = notificationOf(event);
      if (!notification || !(await isNews(executor, event, notification))) continue;
      const wanted = deliveriesOf(notification, (await executor.current(notifySettings, event.siteId)).state, now());
      await outbox.add(tx, notification, wanted, event.eventId);
      told += wanted.length;
    }
    if (told === 0) return UNCONCERNED;
    wake();
    return undefined;
  },
});

/** A goal is told of when it has parts, a run and a goal when a person or an agent of theirs wanted it. */
const isNews = async (executor: Pick<Executor, 'current'>, { streamId }: Recorded, { kind }: Notification): Promise<boolean> => {
  if (kind !== 'run' && kind !== 'goal') return true;
  const goalId = kind === 'goal' ? idOf(streamId) : await goalOf(executor, idOf(streamId));
  if (goalId === undefined) return true;
  const { state } = await executor.current(goal, goalId);
  if (state.status === 'none') return true;
  return !SILENT_ORIGINS.includes(state.origin) && (kind === 'run' || state.children.length > 0);
};

const goalOf = async (executor: Pick<Executor, 'current'>, runId: string): Promise<string | undefined> => {
  const { state } = await executor.current(run, runId);
  if (state.status === 'none') return undefined;
  if ('started' in state) return state.started.goalId;
  return 'queued' in state ? state.queued.goalId : state.goalId;
};
