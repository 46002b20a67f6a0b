import type { Recorded } from '@app/kernel';
import type { EventFilter } from '../event-store';
import type { Handler } from './delivery';

/**
 * What happens when a handler fails. It is called again, with pauses, until an event has failed `attempts` times; then the consumer
 * stops before that event, so that nothing is passed over unseen, or skips it, or parks it: goes on with the next and tries the parked one
 * again, after a minute and then ever more seldom, until it is handled. All raise an alarm. An unreachable database is no failure of the
 * handler: that is waited out and never counted.
 */
export type Failure = { readonly attempts: number; readonly delayMs: (attempt: number) => number; readonly then: 'stop' | 'skip' | 'park' };

/** 0.1, 0.2, 0.4 and 0.8 s between five attempts. */
export const STOP_AFTER_FIVE: Failure = { attempts: 5, delayMs: (attempt) => 100 * 2 ** (attempt - 1), then: 'stop' };

/** For processes whose reactions decide by the state of now, so that a late one is as good as one in time. */
export const PARK_AFTER_FIVE: Failure = { ...STOP_AFTER_FIVE, then: 'park' };

const RESULTS = { stop: 'stopped before', skip: 'skipped', park: 'goes on without' } as const;

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
      const where = `position ${position} (${type} of ${streamId})`;
      return `Consumer ${alarm.consumer} ${RESULTS[alarm.action]} ${where} after ${alarm.attempts} attempts: ${String(alarm.error)}`;
    }
    case 'interrupted':
      return `Consumer ${alarm.consumer} was interrupted and tries again: ${String(alarm.error)}`;
    case 'gap':
      return `Consumer ${alarm.consumer} waits before damage: ${String(alarm.error)}`;
  }
};
