import { GraphQLBoolean, GraphQLList, GraphQLNonNull, GraphQLObjectType, GraphQLString, type GraphQLOutputType } from 'graphql';
import { typeName } from '../api/field-names';
import type { JsonSchema } from '../api/json-schema';
import type { ApiAnswer } from '../api/rest-calls';
import type { GraphqlContext } from '../context';
import type { TypeNames } from '../types/names';
import type { OutputTypes } from '../types/output-types';

const PageInfo = new GraphQLObjectType({
  name: 'PageInfo',
  fields: {
    hasNextPage: { type: new GraphQLNonNull(GraphQLBoolean) },
    hasPreviousPage: { type: new GraphQLNonNull(GraphQLBoolean), description: 'Whether the page was asked for with `after`' },
    startCursor: { type: GraphQLString, description: 'The `after` that the page was asked for with' },
    endCursor: { type: GraphQLString, description: 'Give it as `after` for the next page; null on the last page' },
  },
});

/** A list of the API as a connection. */
export type Connection = {
  readonly edges: readonly { readonly node: unknown; readonly cursor: string | null }[];
  readonly pageInfo: { readonly hasNextPage: boolean; readonly hasPreviousPage: boolean; readonly startCursor: string | null; readonly endCursor: string | null };
  readonly position: string;
};

/** The API gives one cursor a page, that of its end; the last edge has it. */
export const connectionOf = ({ data, nextCursor = null, position }: ApiAnswer, after: string | null): Connection => {
  const nodes = data as readonly unknown[];
  return {
    edges: nodes.map((node, index) => ({ node, cursor: index === nodes.length - 1 ? nextCursor : null })),
    pageInfo: { hasNextPage: nextCursor !== null, hasPreviousPage: after !== null, startCursor: after, endCursor: nextCursor },
    position,
  };
};

/** One connection type for each type of node. */
export class ConnectionTypes {
  private readonly made = new Map<string, GraphQLObjectType<unknown, GraphqlContext>>();

  constructor(
    private readonly outputs: OutputTypes,
    private readonly names: TypeNames,
  ) {}

  of(item: JsonSchema, field: string): GraphQLObjectType<unknown, GraphqlContext> {
    const node = this.outputs.nullableOf(item, `${field}Node`);
    const known = this.made.get(String(node));
    if (known) return known;
    const type = this.make(node, node instanceof GraphQLObjectType ? node.name : typeName(field));
    this.made.set(String(node), type);
    return type;
  }

  private make(node: GraphQLOutputType, name: string): GraphQLObjectType<unknown, GraphqlContext> {
    const edge = new GraphQLObjectType({
      name: this.names.take(`${name}Edge`),
      fields: { node: { type: node }, cursor: { type: GraphQLString, description: 'Of the end of a page that is not the last; null elsewhere' } },
    });
    return new GraphQLObjectType({
      name: this.names.take(`${name}Connection`),
      fields: {
        edges: { type: new GraphQLNonNull(new GraphQLList(new GraphQLNonNull(edge))) },
        pageInfo: { type: new GraphQLNonNull(PageInfo) },
        position: { type: new GraphQLNonNull(GraphQLString), description: 'The log position that the page shows at least' },
      },
    });
  }
}
