import { setTimeout as sleep } from 'node:timers/promises';
import { advance, Leases, toCheckpointJson, type Checkpoint, type Database } from '@app/event-store';
import type { SignedWebhook } from '@app/webhooks';

export type CheckpointWebhookTarget = { readonly url: string; /** Signs what is sent. */ readonly secret: string };

export type CheckpointWebhookOptions = {
  readonly target: CheckpointWebhookTarget;
  readonly webhook: Pick<SignedWebhook, 'send'>;
  readonly db: Database;
  /** Signed checkpoints behind a position, in their order. */
  readonly behind: (position: bigint, limit: number) => Promise<readonly Checkpoint[]>;
  readonly onError: (error: unknown) => void;
  readonly everyMs?: number;
};

const NAME = 'checkpoint-webhook';
const EVERY_MS = 5_000;
const LONGEST_PAUSE_MS = 60_000;
const SEND_MS = 4_000;

/**
 * Sends every signed checkpoint of the hash chain to an address outside, in order and at least once. Several processes may; a lease decides which does, and
 * the checkpoint moves when the receiver has said yes.
 */
export class CheckpointWebhook {
  private readonly stopping = new AbortController();
  private readonly leases: Leases;
  private running: Promise<void> = Promise.resolve();
  private delivered = 0n;
  private failures = 0;

  constructor(private readonly options: CheckpointWebhookOptions) {
    this.leases = new Leases(options.db);
  }

  start(): void {
    this.running = this.run();
  }

  /** What has been signed until now is still sent, if the receiver takes it. */
  async stop(): Promise<void> {
    this.stopping.abort();
    await this.running;
    await this.round().catch(this.options.onError);
  }

  private async run(): Promise<void> {
    const { everyMs = EVERY_MS, onError } = this.options;
    const { signal } = this.stopping;
    while (!signal.aborted) {
      await this.round().then(
        () => (this.failures = 0),
        (error: unknown) => {
          this.failures++;
          onError(error);
        },
      );
      await sleep(Math.min(LONGEST_PAUSE_MS, everyMs * 2 ** Math.min(this.failures, 8)), undefined, { signal }).catch(() => undefined);
    }
  }

  private async round(): Promise<void> {
    const { behind } = this.options;
    if ((await behind(this.delivered, 1)).length === 0) return;
    const lease = await this.leases.acquire(NAME);
    if (!lease) return;
    try {
      this.delivered = lease.position;
      for (let [next] = await behind(this.delivered, 1); next; [next] = await behind(this.delivered, 1)) {
        if ((await this.leases.renew([lease])).length === 0) return;
        await this.send(next);
        if (!(await advance(this.options.db, lease, this.delivered, next.position))) return;
        this.delivered = next.position;
      }
    } finally {
      await this.leases.release([lease]);
    }
  }

  private async send(checkpoint: Checkpoint): Promise<void> {
    const { target: { url, secret }, webhook } = this.options;
    // The operator named the address, so it may be one of the own network.
    const allowHosts = [new URL(url).hostname];
    const outcome = await webhook.send({
      siteId: '', url, body: toCheckpointJson(checkpoint), deliveryId: `${checkpoint.keyId}:${checkpoint.position}`, allowHosts, signedWith: { value: secret }, timeoutMs: SEND_MS,
    });
    if (!outcome.ok) throw new Error(outcome.detail);
  }
}
