import { unreachable, type Aggregate } from '@app/kernel';
import { KINDS } from '../notification.schema';
import type { Channel, Preferences } from './settings.schema';
import type { NotifyEvent } from './settings.events';

export type PersonSettings = Omit<Preferences, 'email'> & {
  readonly principalId: string;
  readonly sealedEmail: string | null;
  readonly subscriptions: Readonly<Record<string, string>>;
};
/** Of one site. Who never said anything hears nothing but what the inbox shows. */
export type NotifySettings = { readonly channels: readonly Channel[]; readonly people: Readonly<Record<string, PersonSettings>> };

const UNSAID: Omit<PersonSettings, 'principalId'> = { sealedEmail: null, kinds: { email: [], push: [...KINDS] }, quietHours: null, digestMinutes: null, subscriptions: {} };

export const notifySettings: Aggregate<NotifySettings, NotifyEvent> = {
  category: 'notify',
  stateVersion: 1,
  initial: { channels: [], people: {} },
  evolve: (state, event) => {
    switch (event.type) {
      case 'NotificationPreferencesChanged': {
        const { personId, at: _at, ...said } = event.data;
        return { ...state, people: { ...state.people, [personId]: { ...(state.people[personId] ?? UNSAID), ...said } } };
      }
      case 'NotificationChannelsChanged':
        return { ...state, channels: event.data.channels };
      case 'PushSubscribed': {
        const { personId, principalId, subscriptionId, sealed } = event.data;
        const known: PersonSettings = state.people[personId] ?? { ...UNSAID, principalId };
        return { ...state, people: { ...state.people, [personId]: { ...known, subscriptions: { ...known.subscriptions, [subscriptionId]: sealed } } } };
      }
      case 'PushUnsubscribed': {
        const known = state.people[event.data.personId];
        if (!known) return state;
        const { [event.data.subscriptionId]: _gone, ...subscriptions } = known.subscriptions;
        return { ...state, people: { ...state.people, [event.data.personId]: { ...known, subscriptions } } };
      }
      default:
        return unreachable(event);
    }
  },
};
