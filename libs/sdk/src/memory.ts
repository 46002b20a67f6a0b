import type { ForgottenMemoryView, FoundMemory, MemoryView, RedactMemoryBody, StoreMemoryBody } from '@app/memory/contract';
import { everyRow, type ListQuery } from './connection/pages';
import { path } from './connection/path';
import type { Answer, Page, ReadOptions, Transport, WriteOptions } from './connection/transport';

export type Memory = MemoryView;
export type { FoundMemory };
/** For everybody of the site unless `scope` says otherwise; half as sure as can be unless `confidence` does. */
export type NewMemory = Pick<StoreMemoryBody, 'content'> & Partial<Omit<StoreMemoryBody, 'content'>>;
/** `texts` to take out, or a `content` in place of the one that is there. */
export type MemoryRedaction = RedactMemoryBody;
/** On whose behalf is read: an agent names its run; people may name a goal and a role, admins a user as well. */
export type MemoryReader = { readonly runId?: string | undefined; readonly goalId?: string | undefined; readonly role?: string | undefined; readonly userId?: string | undefined };

/** `embedding`: the vector of `q`, at most 512 numbers, compared with those that memories were stored with. */
export type MemorySearch = MemoryReader & { readonly q?: string | undefined; readonly embedding?: readonly number[] | undefined; readonly limit?: number | undefined };

/** What is remembered beyond a run. Needs `memory:read`, `memory:write` for changes. */
export class Memories {
  constructor(private readonly transport: Transport) {}

  list = (query: ListQuery & MemoryReader = {}, options: ReadOptions = {}): Promise<Page<Memory>> => this.transport.page('/agent/memory', { ...options, query });

  each = (query: ListQuery & MemoryReader = {}, options: ReadOptions = {}): AsyncGenerator<Memory> => everyRow((cursor) => this.list({ ...query, cursor }, options));

  /** Best first, by similarity to `q` × confidence × recency; without `q` by the last two. One page of the best. */
  search = ({ embedding, ...query }: MemorySearch, options: ReadOptions = {}): Promise<Page<FoundMemory>> =>
    this.transport.page('/agent/memory/search', { ...options, query: { ...query, embedding: embedding?.join(',') } });

  store = (memory: NewMemory, options?: WriteOptions): Promise<Answer<Memory>> => this.transport.write('POST', '/agent/memory', memory, options);

  redact = (memoryId: string, redaction: MemoryRedaction, options?: WriteOptions): Promise<Answer<Memory>> =>
    this.transport.write('POST', path`/agent/memory/${memoryId}/redact`, redaction, options);

  /** Its text is gone for ever, in every copy of the log. */
  forget = (memoryId: string, options?: WriteOptions): Promise<Answer<ForgottenMemoryView>> => this.transport.write('DELETE', path`/agent/memory/${memoryId}`, undefined, options);
}
