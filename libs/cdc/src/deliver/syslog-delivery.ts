import { hostname } from 'node:os';
import type { Executor } from '@app/event-store';
import { OutboundError, type OutboundTcp } from '@app/outbound';
import type { EventForms } from '../forms/event-forms';
import { octetCounted, syslogMessage } from '../forms/syslog-message.policy';
import { openHosts } from './open-hosts';
import type { Deliver } from './target-delivery';

export type SyslogDeliveryParts = { readonly executor: Pick<Executor, 'current'>; readonly tcp: OutboundTcp; readonly forms: EventForms };

const TIMEOUT_MS = 10_000;
/** What every receiver should take (RFC 5425, 4.3.1) without what stands before the text. */
const MOST_BYTES = 8_192 - 400;

/** One event as one message on a connection of its own. Syslog acknowledges nothing; that the receiver has read to the end and closed is what there is to know. */
export const syslogDelivery = ({ executor, tcp, forms }: SyslogDeliveryParts): Deliver<'syslog'> => async (subscription, event, signal) => {
  const { siteId, target: { address } } = subscription;
  const [allowHosts, { text, severity }] = [await openHosts(executor, siteId), await forms.of(subscription, event, MOST_BYTES)];
  const payload = octetCounted(syslogMessage({ severity, at: event.occurredAt, host: hostname(), messageId: event.type, text }));
  try {
    await tcp.send({ address, payload, allowHosts, timeoutMs: TIMEOUT_MS, signal });
    return { ok: true };
  } catch (error) {
    if (error instanceof OutboundError) return { ok: false, code: error.code, detail: error.message };
    throw error;
  }
};
