import { GraphQLError, GraphQLScalarType, Kind, valueFromASTUntyped } from 'graphql';

/** Any JSON value: what the API leaves open, such as the arguments of a tool. */
export const JsonValue = new GraphQLScalarType({
  name: 'JSON',
  description: 'Any JSON value',
  specifiedByURL: 'https://www.rfc-editor.org/rfc/rfc8259',
  serialize: (value) => value,
  parseValue: (value) => value,
  parseLiteral: (node, variables) => valueFromASTUntyped(node, variables) as unknown,
});

const whole = (value: unknown): number => {
  if (Number.isSafeInteger(value)) return value as number;
  throw new GraphQLError('A whole number between -(2^53 - 1) and 2^53 - 1');
};

/** A whole number that may need more than the 32 bits of `Int`. Log positions are text all the same. */
export const SafeInt = new GraphQLScalarType<number>({
  name: 'SafeInt',
  description: 'A whole number of at most 53 bits',
  serialize: whole,
  parseValue: whole,
  parseLiteral: (node) => whole(node.kind === Kind.INT ? Number(node.value) : undefined),
});
