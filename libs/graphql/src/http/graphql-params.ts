import { ProblemException } from '@app/http';

/** What a request over HTTP asks, as the specification of GraphQL over HTTP has it. */
export type GraphqlParams = { readonly query: string; readonly operationName: string | undefined; readonly variables: Readonly<Record<string, unknown>> };

const refusal = (detail: string) => new ProblemException(400, 'VALIDATION_FAILED', detail, { kept: false });

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Reads the body of a POST. Throws what is wrong with it; unknown fields are left alone, as the specification asks. */
export const paramsIn = (body: unknown): GraphqlParams => {
  if (!isObject(body)) throw refusal('Send an object with a query.');
  const { query, operationName = null, variables = null, extensions = null } = body;
  if (typeof query !== 'string' || query === '') throw refusal('query is the text of a GraphQL document.');
  if (operationName !== null && typeof operationName !== 'string') throw refusal('operationName is text.');
  if (variables !== null && !isObject(variables)) throw refusal('variables is an object.');
  if (extensions !== null && !isObject(extensions)) throw refusal('extensions is an object.');
  return { query, operationName: operationName === null || operationName === '' ? undefined : operationName, variables: variables ?? {} };
};

/** Reads the query of a GET, where objects are JSON texts. */
export const paramsInUrl = (query: unknown): GraphqlParams => {
  const { variables, extensions, ...texts } = (isObject(query) ? query : {}) as Readonly<Record<string, unknown>>;
  return paramsIn({ ...texts, variables: objectIn('variables', variables), extensions: objectIn('extensions', extensions) });
};

const objectIn = (name: string, text: unknown): unknown => {
  if (text === undefined || text === '') return null;
  try {
    return JSON.parse(String(text)) as unknown;
  } catch {
    throw refusal(`${name} is an object as JSON.`);
  }
};
