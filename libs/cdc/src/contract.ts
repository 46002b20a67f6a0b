export { CreatedSubscription, CreateSubscription, CreateSubscriptionBody } from './create-subscription/create-subscription.command';
export { DeletedSubscription, DeleteSubscription } from './delete-subscription/delete-subscription.command';
export { ReplaySubscription, ReplaySubscriptionBody } from './replay-subscription/replay-subscription.command';
export { GetSubscriptionStatus, ListSubscriptions } from './subscription-list/subscription-queries.query';
export { SubscriptionStatus, SubscriptionView } from './subscription-list/subscription.view';
export { subscriptionEvents, type SubscriptionEvent } from './subscription.events';
export { subscription, type Subscription } from './subscription.state';
