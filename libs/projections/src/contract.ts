/** The pure part: what a projection file needs. Importing it loads no driver. */
export { project, projection, rowIdsOf, type AnyProjection, type ColumnType, type Projection, type Row } from './projection';
