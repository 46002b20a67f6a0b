import type { SignedWebhook } from '@app/webhooks';
import type { Message, Sent } from '../deliver/message';
import type { Channel } from '../settings/settings.schema';
import { slackCardOf, webhookBodyOf } from './card';

/** Channels of the site: a card for Slack and what is compatible, a signed document for programs. */
export class ChannelSink {
  constructor(private readonly webhook: SignedWebhook) {}

  async send({ type, url, secret }: Channel, allowHosts: readonly string[], { siteId, parts, deliveryId, signal }: Message): Promise<Sent> {
    const body = type === 'slack' ? slackCardOf(parts[0]!) : webhookBodyOf(parts[0]!);
    const outcome = await this.webhook.send({ siteId, url, body, deliveryId, allowHosts, signal, ...(secret !== undefined && { signedWith: { secret } }) });
    return outcome.ok ? { ok: true } : { ok: false, code: outcome.code, detail: outcome.detail };
  }
}
