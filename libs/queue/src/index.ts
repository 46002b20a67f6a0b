export { type DeadLetter, type DeadLetters, type LetterDone } from './dead-letter';
export { InMemoryQueue, type InMemoryQueueOptions } from './in-memory/in-memory-queue';
export { MOST_PAYLOAD_BYTES, type Job, type JobHandler } from './job';
export { PgBossQueue, type PgBossQueueOptions } from './pg-boss/pg-boss-queue';
export { QueueProvider, type Enqueued, type EnqueueOptions, type QueueDepth, type WorkOptions } from './queue-provider';
export { AGENT_DEAD_LETTER, AGENT_RUNS, AGENT_VETO_COMMITS, queue, QUEUES, type QueueDefinition } from './queues';
