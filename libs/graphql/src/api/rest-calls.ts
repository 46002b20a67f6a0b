import { missing } from '@app/kernel';
import { ProblemException, type Problem } from '@app/http';
import type { FastifyInstance } from 'fastify';
import type { Session } from '../context';
import { problemError } from '../problems';
import type { Operation } from './operations';

export type Arguments = Readonly<Record<string, unknown>>;
export type ApiAnswer = { readonly data: unknown; readonly nextCursor?: string | null; readonly position: string };

/** What a call brings besides what its path and query take. */
export type Sent = { readonly body?: unknown; readonly idempotencyKey?: string | undefined };

/** Names that a parameter has in GraphQL. */
export const ARGUMENTS: Readonly<Record<string, string>> = { limit: 'first', cursor: 'after' };
export const argumentName = (parameter: string): string => ARGUMENTS[parameter] ?? parameter;

/**
 * Calls a route of this very server, without a socket in between: door, schemas, idempotency and handler are those of every request. So a key reads and
 * does over GraphQL what it may over REST, and nothing else.
 */
export class RestCalls {
  constructor(private readonly server: Pick<FastifyInstance, 'inject'>) {}

  /** The body of a success; a problem is thrown as an error of GraphQL. */
  async call({ method, path, parameters }: Operation, given: Arguments, { headers }: Session, { body, idempotencyKey }: Sent = {}): Promise<ApiAnswer> {
    const query = new URLSearchParams(
      parameters.flatMap(({ name, in: place }): [string, string][] => {
        const value = given[argumentName(name)] ?? undefined;
        return place === 'query' && value !== undefined ? [[name, String(value)]] : [];
      }),
    );
    const { 'idempotency-key': sentKey, ...others } = headers;
    const key = method === 'POST' ? (idempotencyKey ?? sentKey) : undefined;
    const answer = await this.server.inject({
      method: method as 'GET',
      url: `${pathWith(path, given)}${query.size > 0 ? `?${query.toString()}` : ''}`,
      headers: { ...others, ...(key !== undefined && { 'idempotency-key': key }), ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { payload: JSON.stringify(body) }),
    });
    const said = JSON.parse(answer.payload) as unknown;
    if (answer.statusCode >= 400) throw problemError(said as Problem, answer.headers['retry-after'] as string | undefined);
    return said as ApiAnswer;
  }
}

/** No id is a step in a path; one that is would lead to another route. */
const NO_ID = ['', '.', '..'];

const pathWith = (path: string, given: Arguments): string =>
  path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const id = String(given[name]);
    if (NO_ID.includes(id)) throw ProblemException.of(missing().rejection);
    return encodeURIComponent(id);
  });
