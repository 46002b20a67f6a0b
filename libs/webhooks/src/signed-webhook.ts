import { OutboundError, type OutboundCode, type OutboundHttp } from '@app/outbound';
import { SecretUnavailable, type SecretResolver } from '@app/vault';
import { NamedSecrets } from './named-secrets';
import { signatureHeaders } from './signature';
import { SIGNING_SECRET, type SigningSecret } from './signing-secret';

export type Webhook = {
  readonly siteId: string;
  /** `secret://name` in its path or query is put in when the request is sent. */
  readonly url: string;
  /** Sent as JSON; a `text` is sent as it is. */
  readonly body?: unknown;
  readonly text?: string;
  /** The same for every attempt at one delivery, so that the receiver can tell a repetition from something new. */
  readonly deliveryId: string;
  /** Hosts that the site opened: see Outbound. */
  readonly allowHosts: readonly string[];
  /** What it is signed with: a value, or the name of a secret of the site. Neither: the site's own. */
  readonly signedWith?: { readonly value: string } | { readonly secret: string } | undefined;
  readonly contentType?: string;
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
};

/** `UPSTREAM_STATUS`: the receiver answered, and not with a 2xx. `detail` is a sentence that may be shown: it names no path, secret or body. */
export type WebhookOutcome =
  | { readonly ok: true; readonly status: number; readonly durationMs: number }
  | { readonly ok: false; readonly code: OutboundCode | 'UPSTREAM_STATUS' | 'SECRET_UNAVAILABLE'; readonly detail: string; readonly status: number | null; readonly durationMs: number };

export type SignedWebhookParts = {
  readonly outbound: OutboundHttp;
  readonly secrets: SecretResolver;
  readonly signing: SigningSecret;
  readonly clock?: () => Date;
};

const TIMEOUT_MS = 10_000;
/** Nothing of an answer is used but its status. */
const MOST_BYTES = 1_024;
/** In the words of the vault, where the site's own secret may be named like every other. */
const OWN = `secret://${SIGNING_SECRET}`;

/**
 * Sends one signed request to an address that somebody wrote down. It is tried once: whether and when to try again is for the caller, who
 * knows what was promised. No redirect is followed, because a signature is for the receiver that was named.
 */
export class SignedWebhook {
  constructor(private readonly parts: SignedWebhookParts) {}

  /** Rejects only when this server itself is at fault, when its vault cannot be read for instance. */
  async send(webhook: Webhook): Promise<WebhookOutcome> {
    const began = performance.now();
    const durationMs = () => Math.round(performance.now() - began);
    const failed = (code: Extract<WebhookOutcome, { ok: false }>['code'], detail: string, status: number | null = null) => ({ ok: false, code, detail, status, durationMs: durationMs() }) as const;
    try {
      const { status, url } = await this.request(webhook);
      if (status < 200 || status > 299) return failed('UPSTREAM_STATUS', `${new URL(url).origin} answered ${status}.`, status);
      return { ok: true, status, durationMs: durationMs() };
    } catch (error) {
      if (error instanceof OutboundError) return failed(error.code, error.message);
      if (error instanceof SecretUnavailable) return failed('SECRET_UNAVAILABLE', error.message);
      throw error;
    }
  }

  private async request({ siteId, url, body, text = JSON.stringify(body), deliveryId, allowHosts, signedWith, contentType = 'application/json', timeoutMs = TIMEOUT_MS, signal }: Webhook) {
    const { outbound, secrets, clock = () => new Date() } = this.parts;
    const key = await this.keyOf(siteId, signedWith);
    const filled = await new NamedSecrets(secrets, siteId).fill(url);
    return outbound.request({
      url: filled, method: 'POST', body: text, allowHosts, timeoutMs, maxBytes: MOST_BYTES, maxRedirects: 0, ...(signal && { signal }),
      headers: { 'content-type': contentType, 'x-harness-delivery': deliveryId },
      credentials: signatureHeaders(key, text, clock()),
    });
  }

  private keyOf(siteId: string, signedWith: Webhook['signedWith']): Promise<string> {
    if (signedWith && 'value' in signedWith) return Promise.resolve(signedWith.value);
    return signedWith === undefined || signedWith.secret === OWN ? this.parts.signing.of(siteId) : this.parts.secrets.resolve(siteId, signedWith.secret);
  }
}
