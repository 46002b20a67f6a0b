import type { CallKey, CallState, Place, WorkerCallTable } from './worker-call-table';

export type CallWatchOptions = {
  readonly table: WorkerCallTable;
  readonly onError: (error: unknown) => void;
  readonly everyMs?: number;
};

/** What another process does is seen after 150 ms at most; what this one does, at once. */
const EVERY_MS = 150;
/** A fifth of the time after which a call is no longer wanted. */
const WANT_EVERY_MS = 2_000;

type Waiting = { readonly key: CallKey; readonly offered?: (() => void) | undefined; readonly tell: (state: CallState | undefined) => void };
type Poll = { readonly siteId: string; readonly tools: ReadonlySet<string>; readonly wake: () => void };

/**
 * One look at the table for everybody of this process who waits: runs for the outcomes of their calls, workers for calls. It looks only while
 * somebody waits, and costs two or three short statements each time, however many they are.
 */
export class CallWatch {
  private readonly waiting = new Set<Waiting>();
  private readonly polls = new Set<Poll>();
  private timer: NodeJS.Timeout | undefined;
  private looking = false;
  private lookAgain = false;
  private wantedAt = -Infinity;

  constructor(private readonly options: CallWatchOptions) {}

  /** Resolves when the call has an outcome or is in doubt; with undefined when its row is gone, or when the signal aborts. `offered` hears of every look that finds it untaken. */
  async settled(key: CallKey, signal: AbortSignal, offered?: () => void): Promise<CallState | undefined> {
    let tell!: (state: CallState | undefined) => void;
    const told = new Promise<CallState | undefined>((settle) => (tell = settle));
    const waiting: Waiting = { key, tell, offered };
    const end = () => tell(undefined);
    signal.addEventListener('abort', end, { once: true });
    this.waiting.add(waiting);
    if (signal.aborted) end();
    this.look();
    try {
      return await told;
    } finally {
      signal.removeEventListener('abort', end);
      this.waiting.delete(waiting);
    }
  }

  /** Resolves when one of the tools may have an offer, or when the signal aborts. */
  async offered(siteId: string, tools: ReadonlySet<string>, signal: AbortSignal): Promise<void> {
    let wake!: () => void;
    const woken = new Promise<void>((settle) => (wake = settle));
    const poll = { siteId, tools, wake };
    signal.addEventListener('abort', wake, { once: true });
    this.polls.add(poll);
    if (signal.aborted) wake();
    this.schedule();
    try {
      await woken;
    } finally {
      signal.removeEventListener('abort', wake);
      this.polls.delete(poll);
    }
  }

  /** Looks now: something has changed in this process. */
  look(): void {
    if (this.looking) {
      this.lookAgain = true;
      return;
    }
    clearTimeout(this.timer);
    this.timer = undefined;
    this.looking = true;
    void this.once().catch(this.options.onError).finally(() => {
      this.looking = false;
      if (this.lookAgain) {
        this.lookAgain = false;
        this.look();
      } else this.schedule();
    });
  }

  private schedule(): void {
    // A look that is due is not put off by whoever comes next.
    if (this.looking || this.timer || this.waiting.size + this.polls.size === 0) return;
    this.timer = setTimeout(() => this.look(), this.options.everyMs ?? EVERY_MS);
    this.timer.unref();
  }

  private async once(): Promise<void> {
    const { table } = this.options;
    await table.expireLeases();
    if (this.waiting.size > 0) await this.tellWaiting(table);
    if (this.polls.size > 0) this.wakePolls(await table.offers());
  }

  private async tellWaiting(table: WorkerCallTable): Promise<void> {
    const waiting = [...this.waiting];
    const keys = waiting.map(({ key }) => key);
    if (performance.now() - this.wantedAt >= WANT_EVERY_MS) {
      await table.want(keys);
      this.wantedAt = performance.now();
    }
    const states = new Map((await table.statesOf(keys)).map((state) => [textOf(state), state]));
    for (const { key, tell, offered } of waiting) {
      const state = states.get(textOf(key));
      if (state?.state === 'offered') offered?.();
      if (state === undefined || (state.state !== 'offered' && state.state !== 'leased')) tell(state);
    }
  }

  private wakePolls(offers: readonly Place[]): void {
    for (const { siteId, tools, wake } of this.polls) {
      if (offers.some((offer) => offer.siteId === siteId && tools.has(offer.tool))) wake();
    }
  }
}

const textOf = ({ runId, callId }: CallKey) => `${runId}/${callId}`;
