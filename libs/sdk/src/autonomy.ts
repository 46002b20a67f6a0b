import type { AutonomyView, GrantAutonomyBody, GrantView, LevelChangeView } from '@app/autonomy/contract';
import { everyRow, type ListQuery } from './connection/pages';
import type { Answer, Page, ReadOptions, Transport, WriteOptions } from './connection/transport';

/** The grants that count now, each with what the log says for and against it, and the open incidents that cost trust. */
export type AutonomyLedger = AutonomyView;
/** `level`: 0 to 4. `expiresAt`: ISO 8601 with a zone; without it the grant lasts until it is changed. */
export type NewGrant = GrantAutonomyBody;
export type Grant = GrantView;
/** What a level was and became, and why. */
export type LevelChange = LevelChangeView;
export type LevelChangeQuery = ListQuery & { readonly agentRole?: string | undefined; readonly capability?: string | undefined };

/** How much each role is trusted with each capability. What is earned is proposed under `promotions`. */
export class Autonomy {
  constructor(private readonly transport: Transport) {}

  get = async (options?: ReadOptions): Promise<AutonomyLedger> => (await this.transport.read<AutonomyLedger>('/agent/autonomy', options)).data;

  /** Sets a level by hand, over whatever set it before. For people with `autonomy:write`. */
  grant = (grant: NewGrant, options?: WriteOptions): Promise<Answer<Grant>> => this.transport.write('PUT', '/agent/autonomy/grants', grant, options);

  /** Every change of a level, the newest first. */
  history = (query: LevelChangeQuery = {}, options: ReadOptions = {}): Promise<Page<LevelChange>> => this.transport.page('/agent/autonomy/history', { ...options, query });

  eachChange = (query: LevelChangeQuery = {}, options: ReadOptions = {}): AsyncGenerator<LevelChange> => everyRow((cursor) => this.history({ ...query, cursor }, options));
}
