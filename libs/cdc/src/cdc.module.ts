import { Module, type DynamicModule } from '@nestjs/common';
import { Broker } from './broker';
import { CreateSubscriptionHandler } from './create-subscription/create-subscription.handler';
import { DeleteSubscriptionHandler } from './delete-subscription/delete-subscription.handler';
import { ReplaySubscriptionHandler } from './replay-subscription/replay-subscription.handler';
import { GetSubscriptionStatusHandler, ListSubscriptionsHandler } from './subscription-list/subscription-queries.handler';
import { SubscriptionsController } from './subscriptions.controller';

@Module({})
export class CdcModule {
  static register(broker: Broker): DynamicModule {
    return {
      module: CdcModule,
      controllers: [SubscriptionsController],
      providers: [
        { provide: Broker, useValue: broker },
        CreateSubscriptionHandler, ReplaySubscriptionHandler, DeleteSubscriptionHandler, ListSubscriptionsHandler, GetSubscriptionStatusHandler,
      ],
    };
  }
}
