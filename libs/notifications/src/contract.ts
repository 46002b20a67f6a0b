export { deliveries } from './deliver/delivery.state';
export { notificationEvents, type NotificationEvent } from './deliver/delivery.events';
export { notificationOf } from './notification.policy';
export { KINDS, Notification } from './notification.schema';
export { notifyEvents, type NotifyEvent } from './settings/settings.events';
export { notifySettings } from './settings/settings.state';
