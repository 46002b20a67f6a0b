export {
  EventStore, type Appended, type AppendFailure, type AppendResult, type EventFilter, type ExpectedVersion, type Guard, type NewEvent,
  type ReadOptions, type StreamWrite,
} from './event-store';
export { Executor, type EventsOf, type Executed, type StatesOf, type StreamRef, type StreamRefs, type VersionsOf } from './executor';
export { ID_PREFIXES, newEventId, newId, type IdPrefix } from './ids';
export { NoSnapshots, PostgresSnapshots, Snapshots, type Snapshot } from './snapshots';
export { States, type Folded } from './states';
