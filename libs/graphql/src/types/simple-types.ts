import { GraphQLBoolean, GraphQLFloat, GraphQLInt, GraphQLString, type GraphQLScalarType } from 'graphql';
import type { JsonSchema } from '../api/json-schema';
import { JsonValue, SafeInt } from './scalars';

const INT_MAX = 2 ** 31 - 1;
const NAME = /^(?!__)[_A-Za-z][_0-9A-Za-z]*$/;
const NO_VALUES = ['true', 'false', 'null'];

/** May stand in a GraphQL document as a name. */
export const isName = (text: string): boolean => NAME.test(text);

/** The words of an enumeration, if all of them can be GraphQL's. */
export const wordsOf = ({ enum: values }: JsonSchema): readonly string[] | undefined =>
  values !== undefined && values.length > 0 && values.every((one): one is string => typeof one === 'string' && isName(one) && !NO_VALUES.includes(one)) ? values : undefined;

/** An object whose fields are all known and can be named. */
export const isClosedObject = ({ type, properties, additionalProperties = false }: JsonSchema): boolean =>
  type === 'object' && additionalProperties === false && properties !== undefined && Object.keys(properties).length > 0 && Object.keys(properties).every(isName);

/** Values without parts. What is neither one of them, nor a list, nor a closed object, is JSON. */
export const scalarOf = ({ type, minimum = -Infinity, maximum = Infinity, const: only }: JsonSchema): GraphQLScalarType => {
  switch (type ?? typeof only) {
    case 'string': return GraphQLString;
    case 'boolean': return GraphQLBoolean;
    case 'number': return type === undefined ? JsonValue : GraphQLFloat;
    case 'integer': return minimum >= -INT_MAX && maximum <= INT_MAX ? GraphQLInt : SafeInt;
    default: return JsonValue;
  }
};
