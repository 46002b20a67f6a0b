export { serveGraphql, type GraphqlOptions } from './serve-graphql';
export type { GraphqlDesign } from './schema/build-schema';
