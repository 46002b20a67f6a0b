export { CLOUD_EVENT_TYPE, cloudEventOf, withoutData, type CloudEvent } from './cloud-event.view';
export { ALL_EVENTS, CHECKPOINT_STREAM, CHECKPOINT_SUBJECT, DELIVERY_STREAM, deliverySubject, eventSubject, HEAD_SUBJECT, POSITION_HEADER, RPC_PREFIX, siteDeliveries, siteSubject, STREAM, TOOL_QUEUE, toolSubject } from './subjects.policy';
