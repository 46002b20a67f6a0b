import type { ApiKeyView, IssueApiKeyBody, IssuedKey } from '@app/sites/contract';
import { everyRow, type ListQuery } from './connection/pages';
import { path } from './connection/path';
import type { Answer, Page, Transport, WriteOptions } from './connection/transport';

/** `roles` and `capabilities` can be at most those of the key that issues. `expiresAt`: ISO 8601 with a zone. */
export type NewApiKey = Omit<IssueApiKeyBody, 'roles'> & { readonly roles?: IssueApiKeyBody['roles'] | undefined };

/** `key` is shown once: null when a retry lost the answer that held it, and then `rotate` makes a new one. */
export type IssuedApiKey = Readonly<IssuedKey>;

/** A key without its secret. */
export type ApiKey = ApiKeyView;

export class ApiKeys {
  constructor(private readonly transport: Transport) {}

  create = (key: NewApiKey, options?: WriteOptions): Promise<Answer<IssuedApiKey>> =>
    this.transport.write('POST', '/api-keys', key, options);

  list = (query: ListQuery = {}): Promise<Page<ApiKey>> => this.transport.page('/api-keys', { query });

  each = (query: ListQuery = {}): AsyncGenerator<ApiKey> => everyRow((cursor) => this.list({ ...query, cursor }));

  /** A new secret under the same id and rights; the old one stops working. */
  rotate = (id: string, options?: WriteOptions): Promise<Answer<IssuedApiKey>> =>
    this.transport.write('POST', path`/api-keys/${id}/rotate`, undefined, options);

  revoke = (id: string, options?: WriteOptions): Promise<Answer<{ readonly id: string; readonly revoked: true }>> =>
    this.transport.write('DELETE', path`/api-keys/${id}`, undefined, options);
}
