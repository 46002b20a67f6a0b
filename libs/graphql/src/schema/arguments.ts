import { GraphQLID, GraphQLInt, GraphQLNonNull, GraphQLString, type GraphQLFieldConfigArgumentMap } from 'graphql';
import { typeName } from '../api/field-names';
import type { Operation } from '../api/operations';
import { argumentName } from '../api/rest-calls';
import type { InputTypes } from '../types/input-types';
import { isName } from '../types/simple-types';

/** The parameters of a route as arguments: ids of its path, filters of its query, and `limit` and `cursor` as `first` and `after`. */
export const argumentsOf = ({ parameters }: Operation, field: string, inputs: InputTypes): GraphQLFieldConfigArgumentMap =>
  Object.fromEntries(
    parameters.filter(({ name }) => isName(name)).map(({ name, in: place, required, description, schema }) => {
      if (place === 'path') return [name, { type: new GraphQLNonNull(GraphQLID), description }];
      if (name === 'limit') return ['first', { type: GraphQLInt, description: 'Nodes of the page: 1 to 200; 50 when absent' }];
      if (name === 'cursor') return ['after', { type: GraphQLString, description: 'endCursor of the page before' }];
      if (name === 'minPosition') return [name, { type: GraphQLString, description: 'Waits up to 5 s until this log position can be read' }];
      return [argumentName(name), { type: inputs.of(schema, `${typeName(field)}${typeName(name)}`, required && schema.default === undefined), description }];
    }),
  );
