import { setTimeout as sleep } from 'node:timers/promises';
import type { Database, Executor } from '@app/event-store';
import type { NotificationEvent } from './delivery.events';
import { deliveries } from './delivery.state';
import type { DecisionLink, Message, Sent } from './message';
import type { Outbox, Waiting } from './outbox';
import { recordAttempt } from './record-attempt.decide';
import { targetKey, type Target } from './routing.policy';
import type { Notification } from '../notification.schema';

export type DispatcherOptions = {
  readonly db: Database;
  readonly executor: Executor;
  readonly outbox: Outbox;
  readonly send: (siteId: string, target: Target, message: Message) => Promise<Sent>;
  /** The ways to decide that a target is offered. */
  readonly linksFor: (siteId: string, target: Target, notification: Notification) => Promise<readonly DecisionLink[]>;
  readonly onError: (error: unknown) => void;
  readonly now?: () => Date;
  readonly pollMs?: number;
};

/** 10 s, 1 min, 10 min, 1 h and 6 h between six attempts: a receiver may be away for a night. */
const PAUSES_MS = [10_000, 60_000, 600_000, 3_600_000, 21_600_000];
/** Of one message; below the time for which it is claimed. */
const SEND_WITHIN_MS = 30_000;
const AT_ONCE = 4;
const ACTOR = { kind: 'service', id: 'notifications' } as const;

/**
 * Sends what waits in the outbox. At least once: a process that dies between the answer of a receiver and the record sends the same again, under the same
 * delivery id. A receiver that is slow or away holds up nothing but its own messages.
 */
export class NotificationDispatcher {
  private readonly stopping = new AbortController();
  private woken: (() => void) | undefined;
  private working: Promise<void> = Promise.resolve();

  constructor(private readonly options: DispatcherOptions) {}

  start(): void {
    this.working = this.work();
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    this.wake();
    await this.working;
  }

  /** Something was put into the outbox. */
  wake = (): void => this.woken?.();

  /** Sends everything that is due; tells how many messages that were. */
  async sendDue(): Promise<number> {
    const { db, outbox, now = () => new Date() } = this.options;
    // One look when there is nothing to do, which is nearly always, instead of a claim by every hand.
    const next = await outbox.next(db);
    if (!next || next > now()) return 0;
    let sent = 0;
    const hands = Array.from({ length: AT_ONCE }, async () => {
      while (!this.stopping.signal.aborted && (await this.sendNext())) sent++;
    });
    await Promise.all(hands);
    return sent;
  }

  private async work(): Promise<void> {
    const { pollMs = 1_000, onError } = this.options;
    while (!this.stopping.signal.aborted) {
      await this.sendDue().catch(onError);
      const pause = new AbortController();
      this.woken = () => pause.abort();
      if (!this.stopping.signal.aborted) await sleep(pollMs, undefined, { signal: pause.signal, ref: false }).catch(() => undefined);
    }
  }

  private async sendNext(): Promise<boolean> {
    const { db, outbox, now = () => new Date() } = this.options;
    const waiting = await outbox.claim(db, now());
    const [first] = waiting;
    if (!first) return false;
    const began = performance.now();
    const outcome = await this.sent(waiting, first);
    const durationMs = Math.round(performance.now() - began);
    // What the end of this process broke off is no failure of the receiver: the next process sends it at once.
    if (!outcome.ok && this.stopping.signal.aborted) {
      await outbox.again(db, waiting.map(({ deliveryId }) => deliveryId), now());
      return false;
    }
    for (const each of waiting) await this.settle(each, outcome, { together: waiting.length, durationMs });
    return true;
  }

  private async sent(waiting: readonly Waiting[], { siteId, target, deliveryId, eventId }: Waiting): Promise<Sent> {
    const { send, linksFor } = this.options;
    const signal = AbortSignal.any([this.stopping.signal, AbortSignal.timeout(SEND_WITHIN_MS)]);
    try {
      const parts = await Promise.all(waiting.map(async ({ notification }) => ({ notification, links: await linksFor(siteId, target, notification) })));
      return await send(siteId, target, { deliveryId, siteId, parts, signal, cause: causeOf({ eventId, deliveryId }) });
    } catch (error) {
      this.options.onError(error);
      return { ok: false, code: 'UNEXPECTED', detail: 'The message could not be sent; the log of the server says why.' };
    }
  }

  /** The record first: a message that counts as sent is never sent again by a restart, and one that failed is never forgotten. */
  private async settle({ deliveryId, siteId, target, notification, attempt, eventId }: Waiting, outcome: Sent, { together, durationMs }: { readonly together: number; readonly durationMs: number }): Promise<void> {
    const { db, outbox, executor, now = () => new Date() } = this.options;
    const at = now();
    const pauseMs = outcome.ok || outcome.gone ? undefined : PAUSES_MS[attempt - 1];
    const nextAttemptAt = pauseMs === undefined ? null : new Date(at.getTime() + pauseMs);
    const data = { deliveryId, siteId, notificationId: notification.id, kind: notification.kind, sink: target.sink, target: 'channel' in target ? target.channel : target.personId, attempt, together, durationMs, at: at.toISOString() };
    const event: NotificationEvent = outcome.ok
      ? { type: 'NotificationDelivered', data }
      : { type: 'NotificationFailed', data: { ...data, code: outcome.code, detail: outcome.detail, nextAttemptAt: nextAttemptAt?.toISOString() ?? null } };
    const commandId = `notify:${causeOf({ eventId, deliveryId })}:${attempt}`;
    await executor.execute({ notification: { aggregate: deliveries, id: notification.id } }, { actor: ACTOR, siteId, now: at, correlationId: `notify:${targetKey(target)}`, commandId, repeatable: true }, ({ notification: state }) => recordAttempt(state, event));
    if (outcome.ok || outcome.gone) await outbox.sent(db, [deliveryId]);
    else await outbox.again(db, [deliveryId], nextAttemptAt);
  }
}

/** What a command id of a delivery begins with: the event that is told of, and to whom. A row of an older version keeps the id that it has always had. */
const causeOf = ({ eventId, deliveryId }: Pick<Waiting, 'eventId' | 'deliveryId'>): string => (eventId === null ? deliveryId : `${eventId}:${deliveryId}`);
