/** A request as it arrived: `url` is its path with the query, `body` its bytes or text, untouched. Names of headers may be in any case. */
export type ReceivedRequest = {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: string | Uint8Array;
};

/** `idempotencyKey` is the same for every attempt of one tool call: answer a key that you have finished from your own record. */
export type VerifiedRequest =
  | { readonly ok: true; readonly idempotencyKey: string; readonly signedAt: Date }
  | { readonly ok: false; readonly detail: string };

export type RequestVerifierOptions = {
  /** How far the time of a request may be from now, in milliseconds. */
  readonly toleranceMs?: number;
  readonly now?: () => Date;
  /** Remembers a signature until a time, and says whether it is new. Give one on a common store when several processes receive. */
  readonly isNew?: (signature: string, until: Date) => boolean | Promise<boolean>;
};

const FIVE_MINUTES = 300_000;
const no = (detail: string): VerifiedRequest => ({ ok: false, detail });

/**
 * For the receiver of tool calls over HTTP: tells whether a request was signed by the harness with this secret, now and not before. The
 * comparison takes the same time whatever differs. A request that was captured and is sent again is refused, also within the tolerance.
 */
export class RequestVerifier {
  private readonly key: ReturnType<typeof crypto.subtle.importKey>;
  private readonly toleranceMs: number;
  private readonly now: () => Date;
  private readonly isNew: NonNullable<RequestVerifierOptions['isNew']>;

  constructor(secret: string, { toleranceMs = FIVE_MINUTES, now = () => new Date(), isNew = inThisProcess(now) }: RequestVerifierOptions = {}) {
    this.key = crypto.subtle.importKey('raw', new TextEncoder().encode(secret), { name: 'HMAC', hash: 'SHA-256' }, false, ['verify']);
    this.toleranceMs = toleranceMs;
    this.now = now;
    this.isNew = isNew;
  }

  async verify({ method, url, headers, body }: ReceivedRequest): Promise<VerifiedRequest> {
    const seconds = headerIn(headers, 'x-harness-timestamp');
    const signature = headerIn(headers, 'x-harness-signature');
    if (seconds === undefined || signature === undefined) return no('The request is not signed.');
    const digest = /^v1=([0-9a-f]{64})$/.exec(signature)?.[1];
    if (!/^[1-9]\d{0,11}$/.test(seconds) || digest === undefined) return no('The signature is not of the known form.');
    if (!(await crypto.subtle.verify('HMAC', await this.key, bytesOf(digest), signedBytes(seconds, method, url, body)))) return no('The signature is not that of this request under this secret.');
    const signedAt = new Date(Number(seconds) * 1000);
    if (Math.abs(this.now().getTime() - signedAt.getTime()) > this.toleranceMs) return no('The request was signed too long ago, or by a clock that is wrong.');
    if (!(await this.isNew(signature, new Date(signedAt.getTime() + 2 * this.toleranceMs)))) return no('The request has been received before.');
    return { ok: true, idempotencyKey: headerIn(headers, 'idempotency-key') ?? '', signedAt };
  }
}

/** Requests without a body sign where they go, all others what they carry. */
const signedBytes = (seconds: string, method: string, url: string, body: string | Uint8Array): Uint8Array<ArrayBuffer> => {
  const text = new TextEncoder();
  const signed = method === 'GET' || method === 'DELETE' ? url : body;
  const content = typeof signed === 'string' ? text.encode(signed) : signed;
  const prefix = text.encode(`${seconds}.`);
  const all = new Uint8Array(prefix.length + content.length);
  all.set(prefix);
  all.set(content, prefix.length);
  return all;
};

const bytesOf = (hex: string): Uint8Array<ArrayBuffer> => Uint8Array.from(hex.match(/../g)!, (pair) => Number.parseInt(pair, 16));

const headerIn = (headers: ReceivedRequest['headers'], wanted: string): string | undefined => {
  const value = Object.entries(headers).find(([name]) => name.toLowerCase() === wanted)?.[1];
  return typeof value === 'string' ? value : undefined;
};

/** Keeps what is not outdated; a signature comes in once for each attempt of a call. */
const inThisProcess = (now: () => Date): NonNullable<RequestVerifierOptions['isNew']> => {
  const seen = new Map<string, number>();
  return (signature, until) => {
    for (const [each, end] of seen) {
      if (end > now().getTime()) break;
      seen.delete(each);
    }
    if (seen.has(signature)) return false;
    seen.set(signature, until.getTime());
    return true;
  };
};
