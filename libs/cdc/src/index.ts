export { CdcModule } from './cdc.module';
export { type DeliveryRoundParts } from './deliver/delivery-round';
export { migrateCdc } from './deliver/delivery-table';
export { SubscriptionDeliveries } from './deliver/subscription-deliveries';
export { type Deliver, type Delivered, type TargetDeliveries } from './deliver/target-delivery';
export { webhookDelivery } from './deliver/webhook-delivery';
export { subscriptionEvents } from './subscription.events';
export { subscriptions } from './subscription-list/subscriptions.projection';
