import { Module } from '@nestjs/common';
import { CreateSubscriptionHandler } from './create-subscription/create-subscription.handler';
import { DeleteSubscriptionHandler } from './delete-subscription/delete-subscription.handler';
import { ReplaySubscriptionHandler } from './replay-subscription/replay-subscription.handler';
import { GetSubscriptionStatusHandler, ListSubscriptionsHandler } from './subscription-list/subscription-queries.handler';
import { SubscriptionsController } from './subscriptions.controller';

@Module({
  controllers: [SubscriptionsController],
  providers: [CreateSubscriptionHandler, ReplaySubscriptionHandler, DeleteSubscriptionHandler, ListSubscriptionsHandler, GetSubscriptionStatusHandler],
})
export class CdcModule {}
