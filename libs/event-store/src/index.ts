export {
  EventStore, type Appended, type AppendFailure, type AppendResult, type EventFilter, type ExpectedVersion, type Guard, type NewEvent,
  type ReadOptions, type StreamWrite,
} from './event-store';
