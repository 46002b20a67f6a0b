import { Module, type DynamicModule } from '@nestjs/common';
import { Executor } from '@app/event-store';
import { OutboundHttp } from '@app/outbound';
import { Vault } from '@app/vault';
import { DeliveriesController } from './deliveries/deliveries.controller';
import { ListDeliveriesHandler, ReplayDeliveryHandler } from './deliveries/deliveries.handlers';
import { ListNotificationsHandler } from './inbox/list-notifications.handler';
import { NotificationsController } from './inbox/notifications.controller';
import { DecideByLinkHandler, ReadLinkHandler } from './links/decide-by-link.handler';
import { DecisionLinks } from './links/decision-links';
import { DecisionsController } from './links/decisions.controller';
import { GetChannelsHandler, GetPreferencesHandler, PutChannelsHandler, PutPreferencesHandler, SubscribePushHandler, UnsubscribePushHandler } from './settings/change-settings.handlers';
import { NotificationSettingsController } from './settings/settings.controller';
import { PushSink } from './sinks/push-sink';

/** `publicUrl`: where people reach this server. `contact`: whom push services may write to (RFC 8292). */
export type NotificationOptions = { readonly publicUrl: () => string; readonly contact: string };

@Module({})
export class NotificationsModule {
  static register({ publicUrl, contact }: NotificationOptions): DynamicModule {
    return {
      module: NotificationsModule,
      controllers: [NotificationSettingsController, DeliveriesController, NotificationsController, DecisionsController],
      providers: [
        { provide: DecisionLinks, inject: [Vault, Executor], useFactory: (vault: Vault, executor: Executor) => new DecisionLinks(vault, executor, publicUrl) },
        { provide: PushSink, inject: [Vault, OutboundHttp], useFactory: (vault: Vault, outbound: OutboundHttp) => new PushSink(vault, outbound, contact) },
        ListNotificationsHandler, ListDeliveriesHandler, ReplayDeliveryHandler, DecideByLinkHandler, ReadLinkHandler, GetPreferencesHandler, GetChannelsHandler, PutPreferencesHandler, PutChannelsHandler,
        SubscribePushHandler, UnsubscribePushHandler,
      ],
    };
  }
}
