import type { DeliveryStream } from '@app/nats';
import type { EventForms } from '../forms/event-forms';
import { consumerOf } from './round.policy';
import type { Deliver } from './target-delivery';

/** `stream` is undefined where this process knows no message broker. */
export type NatsDeliveryParts = { readonly stream: DeliveryStream | undefined; readonly forms: EventForms };

/**
 * One event as one message, delivered when the broker has acknowledged it. Its id names the round: within the broker's memory a second attempt at a delivery is kept once, and a replay
 * is kept again.
 */
export const natsDelivery = ({ stream, forms }: NatsDeliveryParts): Deliver<'nats'> => async (subscription, event, signal) => {
  if (!stream) return { ok: false, code: 'NATS_NOT_CONFIGURED', detail: 'This server has no message broker; set NATS_URL.' };
  const { siteId, target: { topic } } = subscription;
  const { text: payload, contentType } = await forms.of(subscription, event, stream.room);
  return stream.publish({ siteId, topic, id: `${consumerOf(subscription)}:${event.eventId}`, position: event.position, contentType, payload }, signal);
};
