import { Command, type Context, type Outcome, type Principal } from '@app/kernel';
import { z } from 'zod';
import { Channel, Channels, Preferences, PushSubscription } from './settings.schema';

/** Whole: what is left out has its default. */
export const PutPreferencesBody = Preferences.meta({ id: 'NotificationPreferences' });
export const PutChannelsBody = z.strictObject({ channels: Channels }).meta({ id: 'PutNotificationChannels' });
export const SubscribePushBody = PushSubscription.meta({ id: 'PushSubscription' });

export const PreferencesView = z.object({ ...Preferences.shape, pushSubscriptions: z.array(z.string()) }).meta({ id: 'NotificationPreferencesAnswer' });
export type PreferencesView = z.infer<typeof PreferencesView>;
export const ChannelsView = z.object({ channels: z.array(Channel) }).meta({ id: 'NotificationChannels' });
export type ChannelsView = z.infer<typeof ChannelsView>;
export const PushSubscribedView = z.object({ subscriptionId: z.string() }).meta({ id: 'PushSubscribed' });
export type PushSubscribedView = z.infer<typeof PushSubscribedView>;

export class PutPreferences extends Command<Outcome<PreferencesView>> {
  constructor(readonly body: Preferences, readonly person: Principal, readonly context: Context) {
    super();
  }
}
export class PutChannels extends Command<Outcome<ChannelsView>> {
  constructor(readonly channels: readonly Channel[], readonly context: Context) {
    super();
  }
}
export class SubscribePush extends Command<Outcome<PushSubscribedView>> {
  constructor(readonly subscription: PushSubscription, readonly person: Principal, readonly context: Context) {
    super();
  }
}
export class UnsubscribePush extends Command<Outcome<PushSubscribedView>> {
  constructor(readonly subscriptionId: string, readonly person: Principal, readonly context: Context) {
    super();
  }
}
