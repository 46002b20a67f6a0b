export { type Connection } from './connection';
export { startPostgres, type EmbeddedPostgres, type EmbeddedPostgresOptions } from './embedded-postgres';
export { EmbeddedPostgresError, type EmbeddedPostgresFailure } from './embedded-postgres-error';
export { schemaOnce } from './schema-once';
