import { setTimeout as sleep } from 'node:timers/promises';
import { advance, type Database, type Lease } from '@app/event-store';

/** The stream itself tells what it holds, so a crash in this time costs nothing: the checkpoint is for the operator and for a stream without a past. */
const PAUSE_MS = 200;

/** Stores how far the relay has come, behind it and by itself: publishing never waits for it. */
export class StoredCheckpoint {
  private stored: bigint;
  private reached: bigint;
  private saving: Promise<void> | undefined;
  private over = false;

  constructor(
    private readonly db: Database,
    private readonly lease: Lease,
    /** The lease is somebody else's by now. */
    private readonly lost: () => void,
    private readonly onError: (error: unknown) => void,
  ) {
    this.stored = this.reached = lease.position;
  }

  get position(): bigint {
    return this.reached;
  }

  /** Everything up to here is in the stream. It goes back when the broker has lost something. */
  reach(position: bigint): void {
    this.reached = position;
    if (position !== this.stored) this.saving ??= this.saveLater().finally(() => (this.saving = undefined));
  }

  /** Nothing is tried again from now on. */
  end(): void {
    this.over = true;
  }

  async flush(): Promise<void> {
    this.end();
    await this.saving;
    if (this.stored !== this.reached) await this.save();
  }

  private async saveLater(): Promise<void> {
    // What is reached during the last of several writes is stored, too, also when nothing comes after it.
    do {
      await this.save();
      await sleep(PAUSE_MS);
    } while (!this.over && this.stored !== this.reached);
  }

  private async save(): Promise<void> {
    const to = this.reached;
    try {
      if (await advance(this.db, this.lease, this.stored, to)) this.stored = to;
      else {
        this.end();
        this.lost();
      }
    } catch (error) {
      this.onError(error);
    }
  }
}
