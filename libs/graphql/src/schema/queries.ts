import { GraphQLObjectType, type GraphQLFieldConfig } from 'graphql';
import { fieldNames } from '../api/field-names';
import type { Operation } from '../api/operations';
import type { Arguments, RestCalls } from '../api/rest-calls';
import type { GraphqlContext } from '../context';
import { costing } from '../limits/costs';
import type { InputTypes } from '../types/input-types';
import type { OutputTypes } from '../types/output-types';
import { argumentsOf } from './arguments';
import { connectionOf, type ConnectionTypes } from './connections';

export type Kit = { readonly outputs: OutputTypes; readonly inputs: InputTypes; readonly connections: ConnectionTypes; readonly calls: RestCalls };

/** A list that the API gives whole, as a field of a record, such as the grants of `/api/v1/agent/autonomy`. */
export type Piece = { readonly field: string; readonly route: string; readonly at: string };

type QueryField = GraphQLFieldConfig<unknown, GraphqlContext, Arguments>;

/** A field for every read of the API: a connection for a list, the record for the rest; and a connection for each list that is a piece of a record. */
export const queryType = (reads: readonly Operation[], groups: readonly string[], pieces: readonly Piece[], kit: Kit): GraphQLObjectType<unknown, GraphqlContext> => {
  const fields: [string, QueryField][] = [
    ...[...fieldNames(reads, groups)].map(([name, read]): [string, QueryField] => [name, fieldOf(name, read, kit)]),
    ...pieces.map((piece): [string, QueryField] => [piece.field, pieceOf(piece, reads, kit)]),
  ];
  return new GraphQLObjectType({ name: 'Query', fields: Object.fromEntries(fields.sort(([a], [b]) => (a < b ? -1 : 1))) });
};

const pieceOf = ({ field, route, at }: Piece, reads: readonly Operation[], { outputs, inputs, connections, calls }: Kit): QueryField => {
  const read = reads.find(({ path }) => path === route);
  const item = read && outputs.itemOf(read.answer.data, at);
  if (!read || !item) throw new Error(`The field ${field} stands for ${at} of ${route}, which is no list there`);
  return {
    type: connections.of(item, field), args: argumentsOf(read, field, inputs), description: read.description, extensions: costing('page'),
    resolve: async (_source, given, { session }) => {
      const { data, position } = await calls.call(read, given, session);
      return connectionOf({ data: (data as Readonly<Record<string, unknown>>)[at], position }, null);
    },
  };
};

const fieldOf = (name: string, read: Operation, { outputs, inputs, connections, calls }: Kit): QueryField => {
  const { answer, description } = read;
  const args = argumentsOf(read, name, inputs);
  if (answer.kind === 'one')
    return {
      type: outputs.nullableOf(answer.data, name), args, description, extensions: costing('call'),
      resolve: async (_source, given, { session }) => (await calls.call(read, given, session)).data,
    };
  return {
    type: connections.of(answer.data, name), args, description, extensions: costing('page'),
    resolve: async (_source, given, { session }) => connectionOf(await calls.call(read, given, session), (given['after'] as string | null | undefined) ?? null),
  };
};
