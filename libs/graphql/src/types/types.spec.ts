import { describe, expect, it } from '@jest/globals';
import { GraphQLInputObjectType, GraphQLNonNull, GraphQLObjectType, GraphQLSchema, graphqlSync, printType, type GraphQLNamedType } from 'graphql';
import { z } from 'zod';
import type { Components, JsonSchema } from '../api/json-schema';
import { InputTypes } from './input-types';
import { TypeNames } from './names';
import { OutputTypes } from './output-types';

const Owner = z.object({ id: z.string(), kind: z.enum(['human', 'agent']) });
const Order = z.object({
  id: z.string(), count: z.int(), page: z.int().min(1).max(200), share: z.number(), open: z.boolean().optional(), owner: Owner.nullable(), votes: z.array(z.object({ by: z.string() })),
  arguments: z.record(z.string(), z.json()), either: z.union([z.string(), z.number()]), loose: z.looseObject({ a: z.string() }), words: z.enum(['a-b', 'c']), note: z.string().nullable(),
});

const written = (schema: z.ZodType, io: 'input' | 'output') => {
  const { $schema: _dialect, $defs = {}, ...json } = z.toJSONSchema(schema, { target: 'draft-2020-12', io, unrepresentable: 'any' });
  return { schema: JSON.parse(JSON.stringify(json).replaceAll('#/$defs/', '#/components/schemas/')) as JsonSchema, components: $defs as Components };
};

const namedIn = (schema: GraphQLSchema, name: string) => printType(schema.getType(name) as GraphQLNamedType).replaceAll(/\s+/g, ' ');

describe('A type of an answer', () => {
  const { schema, components } = written(Order, 'output');
  const outputs = new OutputTypes(components, new TypeNames(['Order']), () => ({}));
  const type = outputs.of(schema, 'order');
  const made = new GraphQLSchema({ query: new GraphQLObjectType({ name: 'Query', fields: { order: { type } } }) });

  it('is what the zod schema says, with JSON where that leaves things open', () => {
    expect(namedIn(made, 'Order2')).toBe(
      'type Order2 { id: ID! count: SafeInt! page: Int! share: Float! open: Boolean owner: Order2Owner votes: [Order2VotesItem!]! arguments: JSON either: JSON loose: JSON words: String! note: String }',
    );
    expect([namedIn(made, 'Order2Owner'), namedIn(made, 'Order2OwnerKind')]).toEqual(['type Order2Owner { id: ID! kind: Order2OwnerKind! }', 'enum Order2OwnerKind { human agent }']);
  });

  it('shows values as they are', () => {
    const order = { id: 'o', count: 2 ** 40, page: 1, share: 0.5, owner: { id: 'u', kind: 'agent' }, votes: [{ by: 'u' }], arguments: { deep: [{ null: null }] }, either: 7, loose: { a: 'x', b: 1 }, words: 'a-b', note: null };
    const { data, errors } = graphqlSync({ schema: made, source: '{ order { id count page share open owner { id kind } votes { by } arguments either loose words note } }', rootValue: { order } });
    expect([errors, JSON.parse(JSON.stringify(data))]).toEqual([undefined, { order: { ...order, open: null } }]);
  });
});

describe('A type of an argument', () => {
  it('asks for what a body must have, and no more', () => {
    const { schema, components } = written(z.strictObject({ title: z.string().max(9), limit: z.int().default(5), how: z.enum(['sync', 'async']).optional(), arguments: z.record(z.string(), z.json()).default({}), owner: Owner.optional() }), 'input');
    const inputs = new InputTypes(components, new TypeNames([]));
    const type = inputs.of(schema, 'OrderInput', true) as GraphQLNonNull<GraphQLInputObjectType>;
    const made = new GraphQLSchema({ types: [type.ofType] });
    expect(namedIn(made, 'OrderInput')).toBe('input OrderInput { title: String! limit: SafeInt how: OrderInputHow arguments: JSON owner: OrderInputOwner }');
    expect([inputs.demands(schema), inputs.demands({ type: 'object', properties: { a: {} } })]).toEqual([true, false]);
  });
});
