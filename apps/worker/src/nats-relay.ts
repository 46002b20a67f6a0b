import { Logger } from '@nestjs/common';
import { checkpointsBehind, Leases, type EventStore, type LeaseWakes } from '@app/event-store';
import { CheckpointStream, Relay, type EventShapes, type NatsLink } from '@app/nats';
import type { Pool } from 'pg';
import { sparingly } from './sparingly';

export type NatsRelayOptions = {
  readonly link: NatsLink | undefined;
  readonly pool: Pool;
  readonly store: EventStore;
  readonly wakes: LeaseWakes;
  readonly shapes: EventShapes;
};

/** Publishes the log and its signed checkpoints over NATS, where there is one. Several processes may: a lease decides who does. */
export const startNatsRelay = ({ link, pool, store, wakes, shapes }: NatsRelayOptions): { stop(): Promise<void> } => {
  const log = new Logger('Relay');
  if (!link) {
    log.log('NATS_URL is not set: events are published nowhere. The relay goes on from its checkpoint when there is a broker.');
    return { stop: () => Promise.resolve() };
  }
  const warn = sparingly((sentence) => log.warn(sentence));
  const relay = new Relay({ db: pool, store, leases: new Leases(pool), wakes, link, shapes, onError: (error) => warn(`Events are not published: ${sentenceOf(error)}`) });
  const checkpoints = new CheckpointStream({ link, behind: (position, limit) => checkpointsBehind(pool, position, limit), onError: (error) => warn(`Checkpoints are not published: ${sentenceOf(error)}`) });
  relay.start();
  checkpoints.start();
  return {
    stop: async () => {
      await relay.stop();
      await checkpoints.stop();
    },
  };
};

const sentenceOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
