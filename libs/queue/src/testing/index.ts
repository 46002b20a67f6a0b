export { queueContract } from './queue.conformance';
export { type OpenQueue, type QueueUnderTest } from './world';
