import { Logger } from '@nestjs/common';
import { failureOf, type Problem, type ProblemException } from '@app/http';
import { GraphQLError, type GraphQLFormattedError } from 'graphql';

const log = new Logger('Graphql');

/** A problem of the API as an error of GraphQL: the same sentence, code, status and facts. */
export const problemError = ({ detail, code, status, facts }: Problem, retryAfter?: number | string): GraphQLError =>
  new GraphQLError(detail, { extensions: { code, status, ...(facts !== undefined && { facts }), ...(retryAfter !== undefined && { retryAfter: Number(retryAfter) }) } });

export const exceptionError = ({ problem, retryAfter }: ProblemException): GraphQLError => problemError(problem, retryAfter);

/** A complaint about a document or its variables; nothing has run. */
export const refusal = (detail: string, facts?: Readonly<Record<string, unknown>>): GraphQLError =>
  new GraphQLError(detail, { extensions: { code: 'VALIDATION_FAILED', ...(facts !== undefined && { facts }) } });

/** What leaves the server: every error with a stable code, none with a stack or with the words of a failure that nobody expected. */
export const formatted = (error: GraphQLError): GraphQLFormattedError => {
  const { message, locations, path, extensions, originalError } = error;
  const place = { ...(locations !== undefined && { locations }), ...(path !== undefined && { path }) };
  if (typeof extensions['code'] === 'string') return { message, ...place, extensions };
  if (originalError === undefined) return { message, ...place, extensions: { code: 'VALIDATION_FAILED' } };
  const { exception, unexpected } = failureOf(originalError);
  if (unexpected) log.error(JSON.stringify({ path: path?.join('.'), error: originalError.stack ?? String(originalError) }));
  const { extensions: known } = exceptionError(exception);
  return { message: exception.problem.detail, ...place, extensions: known };
};

/** A failure in the form in which it may leave, wherever it was thrown; for ways out that `formatted` does not stand on. */
export const shown = (error: unknown): GraphQLError => {
  if (error instanceof GraphQLError && typeof error.extensions['code'] === 'string') return error;
  const { message, extensions } = formatted(new GraphQLError('', { originalError: error instanceof Error ? error : new Error(String(error)) }));
  return new GraphQLError(message, { extensions: extensions ?? {} });
};
