import type { Executor } from '@app/event-store';
import { governance } from '@app/governance/contract';
import { isUsable, principal } from '@app/sites/contract';
import type { Sealing } from '../settings/sealed-address';
import { openAddress } from '../settings/sealed-address';
import type { PushSubscription } from '../settings/settings.schema';
import { notifySettings } from '../settings/settings.state';
import { unsubscribePush } from '../settings/change-settings.decide';
import type { Message, Sent } from '../deliver/message';
import type { Target } from '../deliver/routing.policy';
import type { ChannelSink } from './channel-sink';
import type { EmailSink } from './email-sink';
import type { PushSink } from './push-sink';

export type SinksParts = { readonly executor: Executor; readonly vault: Sealing; readonly email: EmailSink; readonly push: PushSink; readonly channel: ChannelSink; readonly now?: () => Date };

/** Nothing is sent to whoever is not to be told any more. */
const LEFT: Sent = { ok: false, code: 'RECIPIENT_GONE', detail: 'The recipient is not told any more.', gone: true };

/** Sends a message where its target says, by what the site and the person say now: what was taken back while it waited is in force. */
export const sinks = ({ executor, vault, email, push, channel, now = () => new Date() }: SinksParts) => async (siteId: string, target: Target, message: Message): Promise<Sent> => {
  const { state } = await executor.current(notifySettings, siteId);
  const allowHosts = async () => {
    const site = (await executor.current(governance, siteId)).state;
    return site.status === 'none' ? [] : site.settings.outbound.allowHosts;
  };
  if ('channel' in target) {
    const found = state.channels.find(({ name, type }) => name === target.channel && type === target.sink);
    return found ? channel.send(found, await allowHosts(), message) : LEFT;
  }
  const person = state.people[target.personId];
  if (!person || !(await isStillHere(executor, person.principalId, siteId, now()))) return LEFT;
  if (target.sink === 'email') {
    const address = person.sealedEmail === null ? null : await openAddress<string>(vault, siteId, target.personId, person.sealedEmail);
    return address === null ? LEFT : email.send(address, message);
  }
  const sealed = person.subscriptions[target.subscriptionId];
  const subscription = sealed === undefined ? null : await openAddress<PushSubscription>(vault, siteId, target.personId, sealed);
  if (subscription === null) return LEFT;
  const sent = await push.send(subscription, await allowHosts(), message);
  if (!sent.ok && sent.gone) {
    const context = { actor: { kind: 'service', id: 'notifications' } as const, siteId, now: now(), correlationId: message.deliveryId, commandId: `push-gone:${target.subscriptionId}:${message.cause}`, repeatable: true };
    await executor.execute({ settings: { aggregate: notifySettings, id: siteId } }, context, ({ settings }) => unsubscribePush(settings, target.personId, target.subscriptionId, 'gone', context));
  }
  return sent;
};

const isStillHere = async (executor: Executor, principalId: string, siteId: string, now: Date): Promise<boolean> => {
  const { state } = await executor.current(principal, principalId);
  return state.status === 'known' && isUsable(state, now) && state.principal.sites.includes(siteId);
};
