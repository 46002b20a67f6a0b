import type { Recorded } from '@app/kernel';
import type { EventFilter } from '../event-store';
import type { Handler } from './delivery';

/**
 * What happens when a handler fails. It is called again, with pauses, until an event has failed `attempts` times; then the consumer
 * either stops before that event, so that nothing is passed over unseen, or skips it. Both raise an alarm. An unreachable database is no
 * failure of the handler: that is waited out and never counted.
 */
export type Failure = { readonly attempts: number; readonly delayMs: (attempt: number) => number; readonly then: 'stop' | 'skip' };

/** 0.1, 0.2, 0.4 and 0.8 s between five attempts. */
export const STOP_AFTER_FIVE: Failure = { attempts: 5, delayMs: (attempt) => 100 * 2 ** (attempt - 1), then: 'stop' };

/**
 * `poison`: an event that the handler cannot handle. `interrupted`: the database or the log could not be reached, it is tried again.
 * `gap`: the log left out or repeated a position, which is damage and never a delay; the consumer stays before it and looks again.
 */
export type Alarm =
  | {
      readonly kind: 'poison';
      readonly consumer: string;
      readonly slice: number;
      readonly event: Recorded;
      readonly attempts: number;
      readonly action: Failure['then'];
      readonly error: unknown;
    }
  | { readonly kind: 'interrupted' | 'gap'; readonly consumer: string; readonly slice?: number; readonly error: unknown };

export type SubscribeOptions = {
  /** Names the checkpoint. Two processes that subscribe by the same name share the work or stand by for each other. */
  readonly name: string;
  /** A consumer that was never seen starts behind this position; default 0, the whole log. */
  readonly from?: bigint;
  /** Part of the consumer's identity: events that an earlier filter left out are not caught up. */
  readonly filter?: EventFilter;
  readonly handler: Handler;
  /** True: 32 slices by stream with a lease each, shared by all processes; order holds per stream. False: one leader, total order. */
  readonly sliced?: boolean;
  /** Most events of one call; default 500. */
  readonly batchSize?: number;
  /** How long an event may wait for others to be handled with it, for consumers that nobody waits for; default 0. */
  readonly gatherMs?: number;
  /** How many slices work at the same time in this process, each with at most one connection; default 4. */
  readonly concurrency?: number;
  readonly failure?: Failure;
  readonly onAlarm?: (alarm: Alarm) => void;
};

export const describeAlarm = (alarm: Alarm): string => {
  switch (alarm.kind) {
    case 'poison': {
      const { position, type, streamId } = alarm.event;
      const result = alarm.action === 'stop' ? 'stopped before' : 'skipped';
      const where = `position ${position} (${type} of ${streamId})`;
      return `Consumer ${alarm.consumer} ${result} ${where} after ${alarm.attempts} attempts: ${String(alarm.error)}`;
    }
    case 'interrupted':
      return `Consumer ${alarm.consumer} was interrupted and tries again: ${String(alarm.error)}`;
    case 'gap':
      return `Consumer ${alarm.consumer} waits before damage: ${String(alarm.error)}`;
  }
};
