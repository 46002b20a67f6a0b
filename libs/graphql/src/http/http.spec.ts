import { describe, expect, it } from '@jest/globals';
import { paramsIn, paramsInUrl } from './graphql-params';
import { GRAPHQL_TYPE, JSON_TYPE, mediaTypeOf } from './media-type';

describe('A request over HTTP', () => {
  it('is a query with variables, as a body or in a URL', () => {
    expect(paramsIn({ query: '{ a }', operationName: '', variables: null, more: 1 })).toEqual({ query: '{ a }', operationName: undefined, variables: {} });
    expect(paramsInUrl({ query: '{ a }', operationName: 'b', variables: '{"c":1}' })).toEqual({ query: '{ a }', operationName: 'b', variables: { c: 1 } });
  });

  it.each([[undefined], [[]], [{}], [{ query: 7 }], [{ query: '' }], [{ query: '{ a }', variables: [] }], [{ query: '{ a }', operationName: {} }], [{ query: '{ a }', extensions: 'x' }]])('is refused as %j', (body) => {
    expect(() => paramsIn(body)).toThrow('VALIDATION_FAILED');
  });

  it('is refused with variables that are no JSON', () => {
    expect(() => paramsInUrl({ query: '{ a }', variables: '{' })).toThrow('variables is an object as JSON');
  });
});

describe('The media type of an answer', () => {
  it.each([
    [undefined, JSON_TYPE], ['*/*', JSON_TYPE], ['text/html', JSON_TYPE], ['application/json', JSON_TYPE], ['application/graphql-response+json', GRAPHQL_TYPE],
    ['application/json, application/graphql-response+json', GRAPHQL_TYPE], ['application/json, Application/GraphQL-Response+JSON;q=0.5', JSON_TYPE],
    ['application/graphql-response+json; charset=utf-8, application/json; q=0.9', GRAPHQL_TYPE], ['application/graphql-response+json;q=0', JSON_TYPE],
  ])('for %s is %s', (accept, type) => {
    expect(mediaTypeOf(accept)).toBe(type);
  });
});
