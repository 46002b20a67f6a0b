export { CLOUD_EVENT_TYPE, cloudEventOf, type CloudEvent } from './cloud-event.view';
export { ALL_EVENTS, CHECKPOINT_STREAM, CHECKPOINT_SUBJECT, eventSubject, HEAD_SUBJECT, POSITION_HEADER, RPC_PREFIX, siteSubject, STREAM, TOOL_QUEUE, toolSubject } from './subjects.policy';
