import type { Lease, Leases } from '@app/event-store';

const NAME = 'metrics-export';
/** Prometheus forgets a series after five minutes without a sample; a process that is scraped less often is not scraped. */
const SCRAPED_WITHIN_MS = 300_000;

/**
 * Which one of the scraped processes shows the numbers of the whole installation, so that their sum over all processes is right. The first
 * one that is scraped takes the right and keeps it while it lives and is scraped; when it dies another one has it after the lease's time.
 */
export class ExportRight {
  private lease: Lease | null = null;
  private scrapedAt = -Infinity;
  private turn: Promise<unknown> = Promise.resolve();
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly leases: Leases,
    private readonly monotonicMs: () => number = () => performance.now(),
  ) {}

  /** To be asked at every scrape. Rejects when the database cannot be asked. */
  held(): Promise<boolean> {
    this.scrapedAt = this.monotonicMs();
    this.timer ??= setInterval(() => void this.keep().catch(() => undefined), this.leases.ttlMs / 3).unref();
    return this.inTurn(async () => {
      if (this.lease && (await this.leases.renew([this.lease])).length === 0) this.lease = null;
      this.lease ??= await this.leases.acquire(NAME);
      return this.lease !== null;
    });
  }

  /** Gives the right to others at once. */
  async stop(): Promise<void> {
    clearInterval(this.timer);
    await this.inTurn(() => this.release());
  }

  private keep(): Promise<void> {
    return this.inTurn(async () => {
      if (!this.lease) return;
      if (this.monotonicMs() - this.scrapedAt > SCRAPED_WITHIN_MS) await this.release();
      else if ((await this.leases.renew([this.lease])).length === 0) this.lease = null;
    });
  }

  private async release() {
    const { lease } = this;
    this.lease = null;
    if (lease) await this.leases.release([lease]);
  }

  /** Two scrapes at the same moment must not compete for the lease of their own process. */
  private inTurn<T>(work: () => Promise<T>): Promise<T> {
    const next = this.turn.then(work, work);
    this.turn = next.catch(() => undefined);
    return next;
  }
}
