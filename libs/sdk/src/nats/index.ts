export { events, type EventQuery, type HarnessEvent } from './event-subscription';
export { NatsCommands } from './nats-commands';
export { natsWorker, type NatsWorkerCall, type NatsWorkerOptions } from './nats-worker';
export type { Asker, AskOptions } from './ask';
