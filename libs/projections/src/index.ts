export { project, projection, rowIdsOf, type ColumnType, type Projection, type Row } from './projection';
export { ReadModelBehind, ReadModels, type Condition, type ListRequest, type Page, type Stored } from './read-models';
