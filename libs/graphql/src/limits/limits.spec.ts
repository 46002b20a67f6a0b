import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { GraphQLInt, GraphQLList, GraphQLObjectType, GraphQLSchema, GraphQLString, parse, getIntrospectionQuery, type OperationDefinitionNode } from 'graphql';
import { CALL_POINTS, costing, LIMITS } from './costs';
import { Documents } from './documents';
import { measure } from './measure';

const Run: GraphQLObjectType = new GraphQLObjectType({ name: 'Run', fields: () => ({ id: { type: GraphQLString }, parent: { type: Run, extensions: costing('record') } }) });
const Page = new GraphQLObjectType({ name: 'RunConnection', fields: { nodes: { type: new GraphQLList(Run) } } });
const schema = new GraphQLSchema({
  query: new GraphQLObjectType({
    name: 'Query',
    fields: { runs: { type: Page, args: { first: { type: GraphQLInt } }, extensions: costing('page') }, run: { type: Run, extensions: costing('call') } },
  }),
});

const measured = (source: string, variables: Record<string, unknown> = {}) => {
  const document = parse(source);
  return measure(schema, document, document.definitions.find(({ kind }) => kind === 'OperationDefinition') as OperationDefinitionNode, variables);
};
const costOf = (source: string, variables?: Record<string, unknown>) => Math.floor(measured(source, variables).cost);
const refusals = (source: string, variables: Record<string, unknown> = {}) => {
  const accepted = new Documents(schema, LIMITS).accept(source, undefined, variables);
  return 'errors' in accepted ? accepted.errors.map(({ message }) => message) : [];
};

describe('The measure of an operation', () => {
  it('counts a call, the records of a page, and what each of them leads to', () => {
    expect([costOf('{ run { id } }'), costOf('{ runs(first: 20) { nodes { id } } }'), costOf('{ runs(first: 20) { nodes { parent { parent { id } } } } }')]).toEqual([11, 30, 70]);
    expect(measured('{ runs { nodes { parent { parent { id } } } } }').depth).toBe(5);
  });

  it('takes the size of a page from literals and variables, and the largest one where it cannot know', () => {
    const source = 'query ($n: Int) { runs(first: $n) { nodes { id } } }';
    expect([costOf(source, { n: 7 }), costOf(source, {}), costOf(source, { n: 1e9 }), costOf('{ runs { nodes { id } } }')].map((cost) => cost - CALL_POINTS)).toEqual([7, 204, 204, 51]);
  });

  it('sees through fragments and aliases', () => {
    expect(measured('{ ...a } fragment a on Query { run { ...b } } fragment b on Run { parent { ... on Run { parent { id } } } }')).toMatchObject({ depth: 4 });
    expect(costOf('{ a: run { id } b: run { id } c: run { id } }')).toBe(33);
  });

  it('ends for fragments that double and for fragments in themselves', () => {
    const doubling = Array.from({ length: 60 }, (_, n) => `fragment f${n} on Query { ...f${n + 1} ...f${n + 1} }`).join(' ');
    expect(costOf(`{ ...f0 } ${doubling} fragment f60 on Query { run { id } }`)).toBeGreaterThan(LIMITS.cost);
    expect(costOf('{ ...f } fragment f on Query { ...f run { id } }')).toBe(11);
  });

  it('property: more selections never cost less', () => {
    const selection = fc.letrec<{ fields: string }>((tie) => ({
      fields: fc.oneof({ depthSize: 'small' }, fc.constant('id'), fc.array(tie('fields'), { minLength: 1, maxLength: 3 }).map((inside) => `parent { ${inside.join(' ')} }`)),
    })).fields;
    fc.assert(
      fc.property(fc.array(selection, { minLength: 1, maxLength: 5 }), selection, (some, more) => {
        const alone = measured(`{ run { ${some.join(' ')} } }`);
        const both = measured(`{ run { ${some.join(' ')} ${more} } }`);
        expect([both.cost >= alone.cost, both.depth >= alone.depth]).toEqual([true, true]);
      }),
    );
  });
});

describe('A document', () => {
  const nested = (levels: number) => `{ run { ${'parent { '.repeat(levels)} id ${'} '.repeat(levels)} } }`;

  it('is refused beyond the limits of depth, of cost and of length', () => {
    expect(refusals(nested(10))).toEqual([]);
    expect(refusals(nested(11))).toEqual([`The operation goes 13 fields deep; ${LIMITS.depth} are taken.`]);
    const pages = (count: number) => `{ ${Array.from({ length: count }, (_, n) => `r${n}: runs(first: 200) { nodes { id } }`).join(' ')} }`;
    expect(refusals(pages(9))).toEqual([]);
    expect(refusals(pages(10))).toEqual([expect.stringMatching(/^The operation costs 2\d\d\d points; 2000 are taken/)]);
    expect(refusals(`{ run { ${'id '.repeat(LIMITS.tokens)} } }`)).toEqual([expect.stringContaining('tokens')]);
  });

  it('may ask for the schema', () => {
    expect(refusals(getIntrospectionQuery())).toEqual([]);
  });

  it('is one operation that is there', () => {
    expect(refusals('query a { run { id } } query b { run { id } }')).toEqual(['The document has several operations; name one as operationName.']);
    expect(refusals('{ nothing }')).toEqual([expect.stringContaining('Cannot query field "nothing"')]);
    expect(refusals('{')).toEqual([expect.stringContaining('Syntax Error')]);
  });
});
