import { setTimeout as sleep } from 'node:timers/promises';
import { jetstream, JetStreamApiError, jetstreamManager, StorageType } from '@nats-io/jetstream';
import { headers, type NatsConnection } from '@nats-io/transport-node';
import { toCheckpointJson, type Checkpoint } from '@app/event-store';
import type { NatsLink } from './nats-link';
import { CHECKPOINT_STREAM, CHECKPOINT_SUBJECT, POSITION_HEADER } from './subjects.policy';
import { untilAborted } from './until-aborted';

export type CheckpointStreamOptions = {
  readonly link: NatsLink;
  /** Signed checkpoints behind a position, in their order. */
  readonly behind: (position: bigint, limit: number) => Promise<readonly Checkpoint[]>;
  readonly onError: (error: unknown) => void;
  readonly everyMs?: number;
};

const EVERY_MS = 2_000;
/** For what still leaves when publishing is told to stop: a broker that does not answer holds nobody up. */
const LAST_MS = 5_000;
const PAGE = 200;
/** Processes with keys of their own may sign lower positions a moment later; so many of the newest are compared by name. */
const COMPARED = 50;
const FORGET_ABOVE = 500;
const NAME_IN_USE = 10058;

type Known = { readonly ids: Set<string>; sequence: number; readonly from: bigint };

/**
 * Publishes every signed checkpoint of the hash chain to a stream of its own, so that somebody else holds what the log must agree with for ever. Any number of
 * processes may do so: the stream takes each checkpoint once.
 */
export class CheckpointStream {
  private readonly stopping = new AbortController();
  private readonly over = new AbortController();
  private running: Promise<void> = Promise.resolve();
  private known: (Known & { readonly lost: AbortSignal }) | undefined;

  constructor(private readonly options: CheckpointStreamOptions) {}

  start(): void {
    this.running = this.run();
  }

  /** What has been signed until now still leaves, when the broker is there. */
  async stop(): Promise<void> {
    this.stopping.abort();
    const last = setTimeout(() => this.over.abort(), LAST_MS);
    await this.running;
    clearTimeout(last);
  }

  private async run(): Promise<void> {
    const { link, everyMs = EVERY_MS, onError } = this.options;
    const { signal } = this.stopping;
    while (!signal.aborted) {
      await link.connected(signal).catch(() => undefined);
      // That the connection is lost, the link has told.
      await this.publish().catch((error: unknown) => signal.aborted || !link.current || onError(error));
      await sleep(everyMs, undefined, { signal }).catch(() => undefined);
    }
    await this.publish().catch(() => undefined);
  }

  private async publish(): Promise<void> {
    const { link, behind } = this.options;
    if (!link.current) return;
    const { connection, lost } = await link.connected(this.over.signal);
    const ending = AbortSignal.any([lost, this.over.signal]);
    if (!this.known || this.known.lost.aborted || this.known.ids.size > FORGET_ABOVE) this.known = { ...(await untilAborted(newest(connection), ending)), lost };
    const { known } = this;
    try {
      for (let after = known.from; ; ) {
        const page = await behind(after, PAGE);
        for (const checkpoint of page.filter((each) => !known.ids.has(nameOf(each)))) {
          known.sequence = await untilAborted(put(connection, checkpoint, known.sequence), ending);
          known.ids.add(nameOf(checkpoint));
        }
        if (page.length < PAGE) return;
        after = page.at(-1)!.position;
      }
    } catch (error) {
      this.known = undefined;
      throw error;
    }
  }
}

const nameOf = ({ keyId, position }: Pick<Checkpoint, 'keyId' | 'position'>) => `${keyId}:${position}`;

/** As the message that follows `after` and no other: another process may have put it there. */
const put = async (connection: NatsConnection, checkpoint: Checkpoint, after: number): Promise<number> => {
  const header = headers();
  header.set('Content-Type', 'application/json');
  header.set(POSITION_HEADER, String(checkpoint.position));
  const options = { msgID: nameOf(checkpoint), expect: { streamName: CHECKPOINT_STREAM, lastSequence: after }, headers: header };
  return (await jetstream(connection).publish(CHECKPOINT_SUBJECT, JSON.stringify(toCheckpointJson(checkpoint)), options)).seq;
};

/** The newest checkpoints in the stream, and the position behind which others are looked for. */
const newest = async (connection: NatsConnection): Promise<Known> => {
  const manager = await jetstreamManager(connection);
  await manager.streams.add({ name: CHECKPOINT_STREAM, subjects: [CHECKPOINT_SUBJECT], storage: StorageType.File }).catch(unlessThere);
  const { state } = await manager.streams.info(CHECKPOINT_STREAM);
  const ids = new Set<string>();
  let from = 0n;
  for (let seq = Math.max(state.first_seq, state.last_seq - COMPARED + 1); state.messages > 0 && seq <= state.last_seq; seq++) {
    const message = await manager.streams.getMessage(CHECKPOINT_STREAM, { seq });
    if (!message) continue;
    if (ids.size === 0 && seq > 1) from = BigInt(message.header.get(POSITION_HEADER) || '0') - 1n;
    ids.add(message.header.get('Nats-Msg-Id'));
  }
  return { ids, sequence: state.last_seq, from };
};

/** One that its operator has set up otherwise stays so. */
const unlessThere = (error: unknown): void => {
  if (!(error instanceof JetStreamApiError && error.code === NAME_IN_USE)) throw error;
};
