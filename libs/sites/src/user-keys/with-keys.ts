import { Executor, type Executed, type StreamRef } from '@app/event-store';
import { accept, type Context, type Decision } from '@app/kernel';
import type { PrincipalEvent } from '../principal.events';
import { principal, type PrincipalState } from '../principal.state';
import type { UserEvent } from '../user.events';
import { principalsOf, user, type User } from '../user.state';

type Streams = { readonly user: StreamRef<User, UserEvent> };
type States = { readonly user: User; readonly keys: Readonly<Record<string, PrincipalState>> };
type Events = { readonly user: readonly UserEvent[]; readonly keys: Readonly<Record<string, readonly PrincipalEvent[]>> };

/** Decides on a person together with all keys of theirs and with whom they sign in as: what is written of them is written at once, or not at all. */
export const withKeys = async (executor: Executor, userId: string, context: Context, decide: (states: States) => Decision<Events>): Promise<Executed<Streams>> => {
  const { state } = await executor.current(user, userId);
  const keyIds = state.status === 'none' || state.siteId !== context.siteId ? [] : principalsOf(state);
  const streams: Streams = { user: { aggregate: user, id: userId } };
  const refs = { ...streams, ...Object.fromEntries(keyIds.map((id) => [id, { aggregate: principal, id }])) } as typeof streams;
  return executor.execute(refs, context, (states) => {
    const all = states as unknown as Readonly<Record<string, PrincipalState>>;
    const decision = decide({ user: states.user, keys: Object.fromEntries(keyIds.map((id) => [id, all[id]!])) });
    if (!decision.ok) return decision;
    const { keys, ...events } = decision.events;
    return accept({ ...events, ...keys });
  });
};
