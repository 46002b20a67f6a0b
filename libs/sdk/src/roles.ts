import type { ChangeRoleBody, DefineRoleBody, RoleView } from '@app/roles/contract';
import type { InputOf } from './connection/input-of';
import { everyRow, type ListQuery } from './connection/pages';
import { path } from './connection/path';
import type { Answer, Page, ReadOptions, Transport, WriteOptions } from './connection/transport';

/** What runs of a role may ask for at most, whatever key they use. */
export type AgentRole = RoleView;
export type NewRole = InputOf<typeof DefineRoleBody>;
/** What is not named stays; `enabled: true` puts a disabled role in use again. */
export type RoleChange = InputOf<typeof ChangeRoleBody>;

/** The roles of agents. Needs the role `admin`. */
export class Roles {
  constructor(private readonly transport: Transport) {}

  list = (query: ListQuery = {}, options: ReadOptions = {}): Promise<Page<AgentRole>> => this.transport.page('/agent/roles', { ...options, query });

  each = (query: ListQuery = {}, options: ReadOptions = {}): AsyncGenerator<AgentRole> => everyRow((cursor) => this.list({ ...query, cursor }, options));

  get = async (name: string, options?: ReadOptions): Promise<AgentRole> => (await this.transport.read<AgentRole>(path`/agent/roles/${name}`, options)).data;

  define = (role: NewRole, options?: WriteOptions): Promise<Answer<AgentRole>> => this.transport.write('POST', '/agent/roles', role, options);

  change = (name: string, change: RoleChange, options?: WriteOptions): Promise<Answer<AgentRole>> => this.transport.write('PUT', path`/agent/roles/${name}`, change, options);

  /** Its runs are refused from their next call on. It is kept, because records name it. */
  disable = (name: string, options?: WriteOptions): Promise<Answer<AgentRole>> => this.transport.write('DELETE', path`/agent/roles/${name}`, undefined, options);
}
