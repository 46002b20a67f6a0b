import { describe, expect, it } from '@jest/globals';
import { asDialect2020 } from './draft-07';
import { schemaProblem, checkArguments } from './schema-validator';

const draft = (schema: object) => ({ $schema: 'http://json-schema.org/draft-07/schema#', type: 'object', ...schema });

describe('A schema of draft 7', () => {
  it('means the same in 2020-12', () => {
    const schema = asDialect2020(draft({
      definitions: { word: { type: 'string', minLength: 2 } },
      properties: {
        pair: { type: 'array', items: [{ $ref: '#/definitions/word', minLength: 100 }, { type: 'number' }], additionalItems: false },
        list: { type: 'array', items: { type: 'number' }, additionalItems: { type: 'string' } },
        data: { enum: [{ items: [1], dependencies: {} }] },
      },
      dependencies: { pair: ['list'], list: { properties: { data: {} } } },
    }));
    expect(schema).toEqual({
      type: 'object',
      definitions: { word: { type: 'string', minLength: 2 } },
      properties: {
        pair: { type: 'array', prefixItems: [{ $ref: '#/definitions/word' }, { type: 'number' }], items: false },
        list: { type: 'array', items: { type: 'number' } },
        data: { enum: [{ items: [1], dependencies: {} }] },
      },
      dependentRequired: { pair: ['list'] },
      dependentSchemas: { list: { properties: { data: {} } } },
    });
    const { definitions, properties, ...others } = schema;
    expect(schemaProblem({ ...others, definitions, properties })).toBeUndefined();
    const problems = (input: Record<string, unknown>) => checkArguments(schema, input).problems.map(({ path }) => path);
    expect(problems({ pair: ['ab', 1], list: [1] })).toEqual([]);
    expect(problems({ pair: ['a', 1], list: [1] })).toEqual(['/pair/0']);
    expect(problems({ pair: ['ab', 1, 2], list: [1] })).toEqual(['/pair']);
    expect(problems({ pair: ['ab', 1] })).not.toEqual([]);
  });

  it('keeps one of another dialect as it is', () => {
    const schema = { $schema: 'https://json-schema.org/draft/2020-12/schema', type: 'object', items: [{}] };
    expect(asDialect2020(schema)).toBe(schema);
  });
});
