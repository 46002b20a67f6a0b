import type { ChangeIntentBody, CompiledIntent, CompileIntentBody, CycleView, DeclareIntentBody, DeletedIntent, DriftView, IntentView } from '@app/intents/contract';
import { everyRow, type ListQuery } from './connection/pages';
import { path } from './connection/path';
import type { Answer, Page, ReadOptions, Transport, WriteOptions } from './connection/transport';

/** A wish about a collection that is kept up by itself. */
export type Intent = IntentView;
/** Left out, the schedule is every hour and the budget five goals a cycle. */
export type NewIntent = Omit<DeclareIntentBody, 'schedule' | 'budget'> & { readonly schedule?: string; readonly budget?: Partial<DeclareIntentBody['budget']> };
/** Null takes an optional part away. */
export type IntentChange = ChangeIntentBody;
export type IntentCycle = CycleView;
/** An item that breaks a rule. */
export type Drift = DriftView;
export type { CompiledIntent };

export type IntentQuery = ListQuery & { readonly collection?: string | undefined };
export type DriftQuery = ListQuery & { readonly status?: Drift['status'] | undefined };

/** Needs `intents:read`, and `intents:write` for what changes something. */
export class Intents {
  constructor(private readonly transport: Transport) {}

  list = (query: IntentQuery = {}, options: ReadOptions = {}): Promise<Page<Intent>> => this.transport.page('/agent/intents', { ...options, query });

  each = (query: IntentQuery = {}, options: ReadOptions = {}): AsyncGenerator<Intent> => everyRow((cursor) => this.list({ ...query, cursor }, options));

  get = async (intentId: string, options?: ReadOptions): Promise<Intent> => (await this.transport.read<Intent>(path`/agent/intents/${intentId}`, options)).data;

  declare = (intent: NewIntent, options?: WriteOptions): Promise<Answer<Intent>> => this.transport.write('POST', '/agent/intents', intent, options);

  change = (intentId: string, change: IntentChange, options?: WriteOptions): Promise<Answer<Intent>> =>
    this.transport.write('PATCH', path`/agent/intents/${intentId}`, change, options);

  delete = (intentId: string, options?: WriteOptions): Promise<Answer<DeletedIntent>> => this.transport.write('DELETE', path`/agent/intents/${intentId}`, undefined, options);

  pause = (intentId: string, reason?: string, options?: WriteOptions): Promise<Answer<Intent>> =>
    this.transport.write('POST', path`/agent/intents/${intentId}/pause`, reason === undefined ? {} : { reason }, options);

  /** Also of one that broke because its goals failed. */
  resume = (intentId: string, options?: WriteOptions): Promise<Answer<Intent>> => this.transport.write('POST', path`/agent/intents/${intentId}/resume`, undefined, options);

  /** One cycle now, whatever the schedule says. `status` is `skipped` when its maintenance window, say, is closed. */
  scan = (intentId: string, options?: WriteOptions): Promise<Answer<IntentCycle>> => this.transport.write('POST', path`/agent/intents/${intentId}/scan`, undefined, options);

  drifts = (intentId: string, query: DriftQuery = {}, options: ReadOptions = {}): Promise<Page<Drift>> =>
    this.transport.page(path`/agent/intents/${intentId}/drifts`, { ...options, query });

  eachDrift = (intentId: string, query: DriftQuery = {}, options: ReadOptions = {}): AsyncGenerator<Drift> =>
    everyRow((cursor) => this.drifts(intentId, { ...query, cursor }, options));

  /** What rules a description means, by a language model. Nothing comes into being: declare what is right about it. */
  compile = (description: CompileIntentBody, options?: WriteOptions): Promise<Answer<CompiledIntent>> =>
    this.transport.write('POST', '/agent/intents/compile', description, options);
}
