export { asyncApi, type AsyncApiOptions, type RpcDescription } from './async-api';
export { CheckpointStream, type CheckpointStreamOptions } from './checkpoint-stream';
export { DeliveryStream, type DeliveryMessage, type DeliveryOutcome } from './delivery-stream';
export { type EventShapes } from './event-stream';
export { NatsHeads } from './heads';
export { NatsLink, type NatsLinkOptions } from './nats-link';
export { Relay, RELAY, type RelayOptions } from './relay';
export { NatsRequests, type NatsRequest } from './rpc/nats-requests';
export { NatsTransport } from './rpc/nats-transport';
