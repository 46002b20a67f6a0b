import { missing, reject, type Context, type Rejected } from '@app/kernel';
import type { KnownSubscription, Subscription } from './subscription.state';

/** A subscription of this site that was not deleted, or why there is none. */
export const liveSubscription = (state: Subscription, siteId: string): { readonly ok: true; readonly subscription: KnownSubscription } | Rejected => {
  if (state.status === 'none' || state.siteId !== siteId) return missing();
  if (state.status === 'deleted') return reject('gone', 'GONE', 'This subscription was deleted.');
  return { ok: true, subscription: state };
};

/** What an agent asks for comes through the door, on a run; beside it an agent changes nothing that leaves this server. */
export const agentBesideTheDoor = ({ actor, runId }: Pick<Context, 'actor' | 'runId'>, tool: string): Rejected | undefined =>
  actor.kind === 'agent' && runId === undefined ? reject('forbidden', 'FORBIDDEN', `An agent asks for this on a run, by the tool ${tool}.`, { tool }) : undefined;
