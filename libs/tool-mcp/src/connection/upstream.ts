import { maskSecrets, scrub } from '@app/vault';
import { digestOf, readUpstreamTool, type UpstreamTool } from '../upstream-tool/upstream-tool';
import { listTools, type Listing } from './listing';
import { openClient, type Address, type ConnectionOptions, type OpenClient } from './open-client';
import { requestInHand } from './outbound-fetch';
import { Slots } from './slots';
import { UpstreamError, upstreamError } from './upstream-error';

/** A tool of the present listing. `digest` is undefined for one whose description cannot even be written out. */
export type Offered = { readonly tool: UpstreamTool; readonly digest: string | undefined };
type Offers = { readonly tools: ReadonlyMap<string, Offered>; readonly readAt: number };

const AT_ONCE = 16;
const WAITING = 256;
/** Servers without sessions never say that their list has changed, so what is known of it ages. */
const LISTING_AGE_MS = 60_000;
const FIRST_BACKOFF_MS = 250;
const LONGEST_BACKOFF_MS = 30_000;
/** The session is forgotten, or the credentials were changed since the connection was opened: in both cases the request was not served. */
const NOT_SERVED = [401, 404];

/** One upstream server of one site: connected when it is first needed and again after it was lost, never more often than the back-off allows. */
export class Upstream {
  private readonly slots = new Slots(AT_ONCE, WAITING);
  private opening: Promise<OpenClient> | undefined;
  private current: OpenClient | undefined;
  private offers: Promise<Offers> | undefined;
  private failures = 0;
  private retryAt = 0;
  private lastFailure: UpstreamError | undefined;
  private closed = false;

  constructor(
    readonly address: Address,
    private readonly options: ConnectionOptions,
    private readonly monotonicMs: () => number = () => performance.now(),
  ) {}

  /** Everything that the server lists now; for an import. */
  list = (signal: AbortSignal): Promise<Listing> => this.with(signal, ({ client }) => listTools(client, signal));

  /** The tool as the server describes it now, or undefined. What is remembered is used until the server says that its list has changed, reconnects, or a minute has passed. */
  async offered(name: string, signal: AbortSignal, fresh = false): Promise<Offered | undefined> {
    const known = fresh ? undefined : await this.offers?.catch(() => undefined);
    if (known && this.monotonicMs() - known.readAt < LISTING_AGE_MS) return known.tools.get(name);
    const reading = this.list(signal).then(({ entries }) => ({ tools: offersOf(entries), readAt: this.monotonicMs() }));
    this.offers = reading;
    reading.catch(() => this.offers === reading && (this.offers = undefined));
    return (await reading).tools.get(name);
  }

  /** Calls a tool and answers its result as it came, without the secrets that the connection was opened with. Rejects with `UpstreamError`. */
  async call({ name, inputSchema }: UpstreamTool, input: Readonly<Record<string, unknown>>, meta: Readonly<Record<string, unknown>>, signal: AbortSignal): Promise<unknown> {
    const slot = await this.slots.run(signal, () =>
      this.with(signal, async ({ client, secrets, noted }) => {
        const cut = new AbortController();
        const tooLarge = () => cut.abort(new UpstreamError('RESPONSE_TOO_LARGE', `${this.address.server} answered with more than is read.`));
        const answer = await requestInHand.run({ tooLarge }, () =>
          client
            .callTool({ name, arguments: input as Record<string, unknown>, _meta: { ...meta } }, { signal: AbortSignal.any([signal, cut.signal]), toolDefinition: { name, inputSchema: inputSchema as { type: 'object' } }, timeout: MAX_TIMEOUT_MS })
            .catch((error: unknown) => {
              if (cut.signal.aborted) throw cut.signal.reason;
              const { code, sentence } = upstreamError(error, this.address.server, noted());
              throw code === 'UPSTREAM_UNREACHABLE' ? new UpstreamError(code, `${sentence} Whether the call happened is not known.`) : error;
            }),
        );
        // Before anything of it is shortened: half a secret is not found any more.
        return scrub(maskSecrets(answer as unknown).masked, secrets);
      }),
    ).catch((error: unknown) => {
      throw signal.aborted ? new UpstreamError('UPSTREAM_TIMEOUT', `${this.address.server} did not answer in time.`) : error;
    });
    if (!slot) throw new UpstreamError('UPSTREAM_BUSY', `${WAITING} calls are waiting for ${this.address.server} already.`);
    return slot.done;
  }

  async close(): Promise<void> {
    this.closed = true;
    const { opening } = this;
    this.forget();
    await opening?.then(({ close }) => close(), () => undefined);
  }

  /** What the server has certainly not served is sent once more, on a new connection. */
  private async with<T>(signal: AbortSignal, work: (open: OpenClient) => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      const open = await this.open();
      try {
        return await work(open);
      } catch (error) {
        const lost = NOT_SERVED.includes((error as { status?: number } | null)?.status ?? 0);
        const why = upstreamError(error, this.address.server, open.noted());
        if (lost || why.code === 'UPSTREAM_UNREACHABLE') await this.drop(open);
        if (lost && attempt === 1 && !signal.aborted) continue;
        throw new UpstreamError(why.code, scrub(why.sentence, open.secrets));
      }
    }
  }

  private open(): Promise<OpenClient> {
    if (this.closed) return Promise.reject(new UpstreamError('UPSTREAM_UNREACHABLE', 'This server is stopping.'));
    if (this.opening) return this.opening;
    if (this.lastFailure && this.monotonicMs() < this.retryAt) return Promise.reject(this.lastFailure);
    const opening = this.connect();
    this.opening = opening;
    opening.catch((error: unknown) => {
      this.forget();
      this.failures++;
      this.lastFailure = upstreamError(error, this.address.server);
      this.retryAt = this.monotonicMs() + Math.min(LONGEST_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** (this.failures - 1));
    });
    return opening;
  }

  private async connect(): Promise<OpenClient> {
    const open = await openClient(this.address, this.options, () => (this.offers = undefined));
    this.failures = 0;
    this.lastFailure = undefined;
    this.current = open;
    open.client.onclose = () => this.current === open && this.forget();
    return open;
  }

  private async drop(open: OpenClient): Promise<void> {
    if (this.current === open) this.forget();
    await open.close();
  }

  private forget(): void {
    this.current = undefined;
    this.opening = undefined;
    this.offers = undefined;
  }
}

/** The door ends a call long before; this only keeps the library's own limit out of the way. */
const MAX_TIMEOUT_MS = 600_000;

const offersOf = (entries: readonly unknown[]): ReadonlyMap<string, Offered> => {
  const tools = new Map<string, Offered>();
  for (const entry of entries) {
    const tool = readUpstreamTool(entry);
    // The first of a name counts, here as at the import.
    if (!('reason' in tool) && !tools.has(tool.name)) tools.set(tool.name, { tool, digest: digestOrNone(tool) });
  }
  return tools;
};

const digestOrNone = (tool: UpstreamTool): string | undefined => {
  try {
    return digestOf(tool);
  } catch {
    return undefined;
  }
};
