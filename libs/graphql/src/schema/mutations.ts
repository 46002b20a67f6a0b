import { GraphQLNonNull, GraphQLObjectType, GraphQLString, type GraphQLFieldConfig } from 'graphql';
import { typeName } from '../api/field-names';
import type { Operation } from '../api/operations';
import type { Arguments } from '../api/rest-calls';
import type { GraphqlContext } from '../context';
import { costing } from '../limits/costs';
import type { TypeNames } from '../types/names';
import { argumentsOf } from './arguments';
import type { Kit } from './queries';

/** Name of the field → the route that it stands for, such as `POST /api/v1/agent/goals`. */
export type Mutations = Readonly<Record<string, string>>;

/** Fields for the commands that are named; each is a route with its body as `input`. They answer `data` and `position` as the route does. */
export const mutationType = (mutations: Mutations, operations: readonly Operation[], kit: Kit, names: TypeNames): GraphQLObjectType<unknown, GraphqlContext> =>
  new GraphQLObjectType({
    name: 'Mutation',
    fields: Object.fromEntries(
      Object.entries(mutations).map(([field, route]) => {
        const operation = operations.find(({ method, path }) => `${method} ${path}` === route);
        if (!operation) throw new Error(`The mutation ${field} stands for ${route}, which is no route`);
        return [field, fieldOf(field, operation, kit, names)];
      }),
    ),
  });

const fieldOf = (field: string, operation: Operation, { outputs, inputs, calls }: Kit, names: TypeNames): GraphQLFieldConfig<unknown, GraphqlContext, Arguments> => {
  const { answer, body, description, method } = operation;
  const payload = new GraphQLObjectType({
    name: names.take(`${typeName(field)}Payload`),
    fields: {
      data: { type: outputs.of(answer.data, `${field}Data`) },
      position: { type: new GraphQLNonNull(GraphQLString), description: 'Give it as minPosition to read what was written' },
    },
  });
  return {
    type: payload,
    description,
    extensions: costing('call'),
    args: {
      ...argumentsOf(operation, field, inputs),
      ...(body !== undefined && { input: { type: inputs.of(body, `${typeName(field)}Input`, inputs.demands(body)) } }),
      ...(method === 'POST' && { idempotencyKey: { type: GraphQLString, description: 'Repeats with this key get the first answer, for 24 h; as the header Idempotency-Key' } }),
    },
    resolve: async (_source, { idempotencyKey, input, ...given }, { session }) => {
      const written = await calls.call(operation, given, session, { ...(body !== undefined && { body: input ?? {} }), idempotencyKey: (idempotencyKey as string | null | undefined) ?? undefined });
      session.records.readAfter(BigInt(written.position));
      return written;
    },
  };
};
