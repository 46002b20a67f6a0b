import { urlProblems } from '@app/governance/contract';
import { accept, missing, reject, type Context, type Decision } from '@app/kernel';
import type { Channel } from './settings.schema';
import type { NotifyEvent } from './settings.events';
import type { NotifySettings, PersonSettings } from './settings.state';

type Events = Decision<{ readonly settings: readonly NotifyEvent[] }>;
type Person = { readonly personId: string; readonly principalId: string };
type Now = Pick<Context, 'now'>;

/** A person has a few browsers, and a site some hundred people: the state of a site stays small enough to be kept in memory. */
export const MAX_SUBSCRIPTIONS = 10;
export const MAX_PEOPLE = 1_000;

const tooMany = (state: NotifySettings, personId: string) =>
  state.people[personId] === undefined && Object.keys(state.people).length >= MAX_PEOPLE && reject('conflict', 'CONFLICT', `At most ${MAX_PEOPLE} people of a site can be told of its events.`);

export const changePreferences = (state: NotifySettings, said: Person & Omit<PersonSettings, 'subscriptions'>, { now }: Now): Events => {
  const { personId, ...wanted } = said;
  const { subscriptions: _theirs, ...before } = state.people[personId] ?? { subscriptions: {} };
  if (JSON.stringify(Object.entries(before).sort()) === JSON.stringify(Object.entries(wanted).sort())) return accept({ settings: [] });
  return tooMany(state, personId) || accept({ settings: [{ type: 'NotificationPreferencesChanged', data: { ...said, quietHours: said.quietHours, kinds: { email: [...said.kinds.email], push: [...said.kinds.push] }, at: now.toISOString() } }] });
};

export const changeChannels = (state: NotifySettings, channels: readonly Channel[], { now }: Now): Events => {
  if (JSON.stringify(state.channels) === JSON.stringify(channels)) return accept({ settings: [] });
  const errors = channels.flatMap(({ url }, nr) => urlProblems(url, `/channels/${nr}/url`));
  if (errors.length > 0) return reject('invalid', 'VALIDATION_FAILED', 'Channels are in the log for good, and so would be a secret in their addresses.', { errors });
  return accept({ settings: [{ type: 'NotificationChannelsChanged', data: { channels: channels.map((channel) => ({ ...channel, kinds: [...channel.kinds] })), at: now.toISOString() } }] });
};

export const subscribePush = (state: NotifySettings, person: Person, subscriptionId: string, sealed: string, { now }: Now): Events => {
  const known = state.people[person.personId]?.subscriptions ?? {};
  if (Object.hasOwn(known, subscriptionId)) return accept({ settings: [] });
  if (Object.keys(known).length >= MAX_SUBSCRIPTIONS) return reject('conflict', 'CONFLICT', `At most ${MAX_SUBSCRIPTIONS} browsers of a person can be told; take one away first.`);
  return tooMany(state, person.personId) || accept({ settings: [{ type: 'PushSubscribed', data: { ...person, subscriptionId, sealed, at: now.toISOString() } }] });
};

export const unsubscribePush = (state: NotifySettings, personId: string, subscriptionId: string, cause: 'person' | 'gone', { now }: Now): Events =>
  Object.hasOwn(state.people[personId]?.subscriptions ?? {}, subscriptionId)
    ? accept({ settings: [{ type: 'PushUnsubscribed', data: { personId, subscriptionId, cause, at: now.toISOString() } }] })
    : cause === 'gone' ? accept({ settings: [] }) : missing();
