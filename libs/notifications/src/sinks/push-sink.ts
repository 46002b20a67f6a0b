import { createHash, createECDH, hkdfSync } from 'node:crypto';
import { OutboundError, type OutboundHttp } from '@app/outbound';
import type { Vault } from '@app/vault';
import type { Message, Sent } from '../deliver/message';
import type { PushSubscription } from '../settings/settings.schema';
import { pushOf } from './card';

const KEPT_AS = 'web-push';
const TIMEOUT_MS = 10_000;
const LIVES_S = 86_400;
/** The push service says so of a browser that has left (RFC 8030, 7.3). */
const GONE = [404, 410];

export type VapidKeys = { readonly publicKey: string; readonly privateKey: string };

/** One key pair for the whole installation, made of a secret in the vault, so that every process signs alike and a restart loses no subscription. */
export const vapidKeysOf = async (vault: Pick<Vault, 'pepper'>): Promise<VapidKeys> => {
  const secret = await vault.pepper(KEPT_AS);
  const curve = createECDH('prime256v1');
  for (let turn = 0; ; turn++) {
    const candidate = Buffer.from(hkdfSync('sha256', secret, '', `vapid ${turn}`, 32));
    try {
      curve.setPrivateKey(candidate);
      return { publicKey: curve.getPublicKey('base64url', 'uncompressed'), privateKey: candidate.toString('base64url') };
    } catch {
      // About one number in 2^32 is none of the curve's.
    }
  }
};

/** Web Push: encrypted for the browser (RFC 8291), signed by the server (RFC 8292), and sent where users may send anything. */
export class PushSink {
  private keys: Promise<VapidKeys> | undefined;

  constructor(private readonly vault: Pick<Vault, 'pepper'>, private readonly outbound: OutboundHttp, private readonly subject: string) {}

  vapidKeys(): Promise<VapidKeys> {
    return (this.keys ??= vapidKeysOf(this.vault));
  }

  async send(given: PushSubscription, allowHosts: readonly string[], { parts, deliveryId, signal }: Message): Promise<Sent> {
    const { publicKey, privateKey } = await this.vapidKeys();
    // Loaded with the first message: most processes never push one.
    const { default: webPush } = await import('web-push');
    const { endpoint, headers, body } = webPush.generateRequestDetails({ endpoint: given.endpoint, keys: given.keys }, pushOf(parts[0]!), {
      vapidDetails: { subject: this.subject, publicKey, privateKey }, TTL: LIVES_S, topic: createHash('sha256').update(deliveryId).digest('base64url').slice(0, 32),
    });
    try {
      const { 'Content-Length': _length, ...sent } = headers as Record<string, string | number>;
      const answer = await this.outbound.request({ url: endpoint, method: 'POST', headers: Object.fromEntries(Object.entries(sent).map(([name, value]) => [name, String(value)])), body, allowHosts, timeoutMs: TIMEOUT_MS, signal, maxRedirects: 0 });
      if (answer.status < 300) return { ok: true };
      return { ok: false, code: 'UPSTREAM_STATUS', detail: `The push service answered ${answer.status}.`, ...(GONE.includes(answer.status) && { gone: true }) };
    } catch (error) {
      if (!(error instanceof OutboundError)) throw error;
      return { ok: false, code: error.code, detail: error.message };
    }
  }
}
