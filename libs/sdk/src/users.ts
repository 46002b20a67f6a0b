import type { ChangeUserBody, InviteUserBody, RemovedUser, UserView } from '@app/sites/contract';
import type { InputOf } from './connection/input-of';
import { everyRow, type ListQuery } from './connection/pages';
import { path } from './connection/path';
import type { Answer, Page, ReadOptions, Transport, WriteOptions } from './connection/transport';

/** A person of the site. `capabilities` and `roles` are what they may do at most, whatever key they use. */
export type User = UserView;
/** At most what the inviter holds. */
export type NewUser = InputOf<typeof InviteUserBody>;
/** What is not named stays as it is. */
export type UserChange = ChangeUserBody;
export type UserQuery = ListQuery & { readonly status?: User['status'] | undefined };

/** Needs `users:read`, `users:write` for changes, `users:delete` to remove somebody. */
export class Users {
  constructor(private readonly transport: Transport) {}

  list = (query: UserQuery = {}, options: ReadOptions = {}): Promise<Page<User>> => this.transport.page('/users', { ...options, query });

  each = (query: UserQuery = {}, options: ReadOptions = {}): AsyncGenerator<User> => everyRow((cursor) => this.list({ ...query, cursor }, options));

  get = async (userId: string, options?: ReadOptions): Promise<User> => (await this.transport.read<User>(path`/users/${userId}`, options)).data;

  invite = (user: NewUser, options?: WriteOptions): Promise<Answer<User>> => this.transport.write('POST', '/users', user, options);

  /** What they lose, all their keys lose at once. */
  change = (userId: string, change: UserChange, options?: WriteOptions): Promise<Answer<User>> => this.transport.write('PATCH', path`/users/${userId}`, change, options);

  /** All their keys stop working at once. */
  remove = (userId: string, options?: WriteOptions): Promise<Answer<RemovedUser>> => this.transport.write('DELETE', path`/users/${userId}`, undefined, options);
}
