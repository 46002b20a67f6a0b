export { ProjectionsControl, type ProjectionsControlOptions } from './control';
export { equalTo } from './conditions';
export { entitiesOf } from './entities';
export { InMemoryReadModels } from './in-memory-read-models';
export { migrateProjections } from './migrate';
export { PostgresReadModels, type PostgresReadModelsOptions } from './postgres-read-models';
export { ProjectionProgress } from './progress';
export { project, projection, rowIdsOf, type AnyProjection, type ColumnType, type Projection, type Row } from './projection';
export {
  InvalidCursor, InvalidListRequest, ReadModelBehind, ReadModelRebuilding, ReadModels,
  type Comparison, type Condition, type ListRequest, type Page, type Stored,
} from './read-models';
export type { ProjectionObserver } from './runtime/live-loop';
export { ProjectionsRuntime, type ProjectionsRuntimeOptions } from './runtime/runtime';
export type { ProjectionAlarm } from './runtime/workers';
export type { Difference, Verified } from './runtime/verify';
export type { ProjectionStatus, RebuildProgress } from './status';
