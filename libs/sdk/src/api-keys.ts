import { everyRow, type ListQuery } from './connection/pages';
import { path } from './connection/path';
import type { Answer, Page, Transport, WriteOptions } from './connection/transport';

export type NewApiKey = {
  readonly name: string;
  readonly kind: 'human' | 'agent' | 'service';
  readonly capabilities: readonly string[];
  readonly agentRole?: string | undefined;
  readonly roles?: readonly ('admin' | 'veto')[] | undefined;
  /** ISO 8601. */
  readonly expiresAt?: string | undefined;
};

/** `key` is shown here and never again. */
export type IssuedApiKey = { readonly id: string; readonly key: string };

export type ApiKey = {
  readonly id: string;
  readonly name: string;
  readonly kind: NewApiKey['kind'];
  readonly capabilities: readonly string[];
  readonly [member: string]: unknown;
};

export class ApiKeys {
  constructor(private readonly transport: Transport) {}

  create = (key: NewApiKey, options?: WriteOptions): Promise<Answer<IssuedApiKey>> => this.transport.write('POST', '/api-keys', key, options);

  list = (query: ListQuery = {}): Promise<Page<ApiKey>> => this.transport.page('/api-keys', { query });

  each = (query: ListQuery = {}): AsyncGenerator<ApiKey> => everyRow((cursor) => this.list({ ...query, cursor }));

  /** A new secret under the same id and rights; the old one stops working. */
  rotate = (id: string, options?: WriteOptions): Promise<Answer<IssuedApiKey>> => this.transport.write('POST', path`/api-keys/${id}/rotate`, undefined, options);

  revoke = (id: string, options?: WriteOptions): Promise<Answer<unknown>> => this.transport.write('DELETE', path`/api-keys/${id}`, undefined, options);
}
