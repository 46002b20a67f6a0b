import type { ReadModels } from '@app/projections';
import { stagings } from '../staged-list/stagings.projection';
import type { dueCommit } from './due-commits';

export type CommitSweepOptions = {
  readonly reads: ReadModels;
  readonly sites: () => Promise<readonly string[]>;
  readonly commit: ReturnType<typeof dueCommit>;
  readonly onError: (error: unknown) => void;
  readonly now?: () => Date;
  readonly everyMs?: number;
};

const FIVE_MINUTES = 300_000;
const PAGE = 200;

/** The safety net below the deadlines: looks through the read model for changes that are due and whose deadline was lost. */
export class CommitSweep {
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> = Promise.resolve();

  constructor(private readonly options: CommitSweepOptions) {}

  start(): void {
    this.timer ??= setInterval(() => void (this.running = this.sweep().then(() => undefined, this.options.onError)), this.options.everyMs ?? FIVE_MINUTES).unref();
  }

  async stop(): Promise<void> {
    clearInterval(this.timer);
    await this.running;
  }

  /** How many changes it tried to commit. */
  async sweep(): Promise<number> {
    const { reads, sites, commit, now = () => new Date() } = this.options;
    const at = now();
    let tried = 0;
    for (const siteId of await sites()) {
      for (let cursor: string | undefined; ; ) {
        const where = [{ path: 'status', is: 'eq', value: 'staged' }, { path: 'dueAt', is: 'lte', value: at.toISOString() }] as const;
        const page = await reads.list(stagings, { siteId, where, limit: PAGE, ...(cursor !== undefined && { cursor }) });
        for (const { id } of page.rows) await commit(id, { siteId, now: at, correlationId: `veto-sweep:${at.getTime()}` });
        tried += page.rows.length;
        if (page.nextCursor === null) break;
        cursor = page.nextCursor;
      }
    }
    return tried;
  }
}
