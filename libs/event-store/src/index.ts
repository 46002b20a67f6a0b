export {
  EventStore, type Appended, type AppendFailure, type AppendResult, type EventFilter, type ExpectedVersion, type Guard, type NewEvent,
  type ReadOptions, type StreamWrite,
} from './event-store';
export { Executor, type EventsOf, type Executed, type ExecutorObserver, type ExecutorOptions, type StatesOf, type StreamRef, type StreamRefs, type VersionsOf } from './executor';
export { ID_PREFIXES, idFor, idOfText, newEventId, newId, type IdPrefix } from './ids';
export { NoSnapshots, PostgresSnapshots, Snapshots, type Snapshot } from './snapshots';
export { States, type Folded } from './states';
export { canonicalJson } from './chain/canonical';
export { stateHash } from './chain/state-hash';
export { Consumers, type ConsumersOptions } from './consumers/consumer';
export { begin, isOutage, type Database, type Transaction } from './consumers/database';
export { UNCONCERNED, type Delivery, type Handler } from './consumers/delivery';
export { advance, Leases, type Lease, type LeaseOptions } from './consumers/lease';
export { LeaseWakes } from './consumers/lease-wakes';
export { parkedEvents, retryParkedEvent, type ParkedEvent } from './consumers/parked-events';
export { SLICES, sliceOf } from './consumers/slices';
export { describeAlarm, PARK_AFTER_FIVE, STOP_AFTER_FIVE, type Alarm, type Failure, type SubscribeOptions } from './consumers/subscribing';
export { type SliceStatus, type Subscription } from './consumers/subscription';
export { LogGap, StoreUnavailable } from './errors';
export { InMemoryEventStore } from './in-memory.event-store';
export { type LogReaderOptions } from './log-reader';
export { type AppendObserver } from './postgres/append-queue';
export { type HeadChannel } from './postgres/head-channel';
export { migrateLog } from './postgres/migrate';
export { PostgresEventStore, type PostgresEventStoreOptions } from './postgres/postgres.event-store';
export { canonicalEvent, leafOf, type StoredEvent } from './chain/canonical-event';
export { CheckpointFile } from './chain/checkpoint-file';
export { ChainBroken, CheckpointSigner, type CheckpointSignerOptions } from './chain/checkpoint-signer';
export { latestCheckpoints } from './chain/checkpoint-table';
export { toCheckpointJson, type Checkpoint, type CheckpointJson } from './chain/checkpoint';
export { type ChainFault, type ChainFaultReason, type ChainIntact, type ChainVerdict } from './chain/chain-verdict';
export { findEvent } from './chain/find-event';
export { proofAt, proofOf, type ProofResult } from './chain/proof';
export { verifyProof, type Proof, type ProofLink, type ProofVerdict } from './chain/proof-check';
export { SigningKey } from './chain/signing';
export { storedEvents, type StoredLeaf } from './chain/stored-events';
export { verifyChain, type VerifyOptions } from './chain/verify';
