import { personId, reject, type Actor, type Principal, type Rejected } from '@app/kernel';
import type { ASSURANCES, CHANNELS } from './approval.events';
import type { Approval, PendingApproval } from './approval.state';

/** What an agent's review rests on: the run that reviewed, what its key holds, how sure it is (0 to 1), and the goal trees of both sides. */
export type AgentReview = {
  readonly runId: string;
  readonly capabilities: readonly string[];
  readonly confidence: number;
  /** Goals from the reviewing run's own up to the root; undefined when that way could not be followed to its end. */
  readonly lineage: readonly string[] | undefined;
  /** The same for the run that asked. */
  readonly subjectLineage: readonly string[] | undefined;
};

/** Who acts on an approval and how they came in; taken from the authenticated caller and the route, never from a body. */
export type Reviewer = {
  readonly actor: Actor;
  readonly isAdmin: boolean;
  readonly channel: (typeof CHANNELS)[number];
  readonly assurance: (typeof ASSURANCES)[number];
  /** Present when an agent reviews; whoever takes the decision checks that it may. */
  readonly review?: AgentReview;
};

export const reviewerOf = (principal: Pick<Principal, 'roles'>, actor: Actor, channel: Reviewer['channel'] = 'api'): Reviewer => ({
  actor, isAdmin: principal.roles.includes('admin'), channel, assurance: 'api_key',
});

/** Why nothing can be done with this approval any more; undefined while it waits. */
export const settledAlready = (state: Exclude<Approval, { status: 'none' }>, now: Date): Rejected | undefined => {
  const refuse = (detail: string, facts: Record<string, unknown>) => reject('conflict', 'ALREADY_DECIDED', detail, facts);
  switch (state.status) {
    case 'superseded':
      return refuse(`Nothing is left to decide: ${state.reason}.`, { status: state.status });
    case 'expired':
      return refuse(`This approval expired at ${state.expiredAt}.`, { at: state.expiredAt, status: state.status });
    case 'approved':
    case 'rejected': {
      const { by, at } = state.decided;
      return refuse(`${by.id} already decided this approval at ${at}.`, { by: by.id, at, status: state.status });
    }
    case 'pending':
      // The deadline counts from its second on, whether or not somebody has written it down yet.
      return now.getTime() >= Date.parse(state.expiresAt) ? refuse(`This approval expired at ${state.expiresAt}.`, { at: state.expiresAt, status: 'expired' }) : undefined;
  }
};

/** Why this reviewer may not act on this approval; `requesters` are the persons whose own request it is, when duties are separated. */
export const notTheirs = (state: PendingApproval, { actor, isAdmin, channel }: Reviewer, requesters: readonly string[]): Rejected | undefined => {
  const refuse = (detail: string) => reject('forbidden', 'FORBIDDEN', detail);
  if (state.request.humanOnly && actor.kind !== 'human') return refuse('Only a human decides this one.');
  if (state.request.humanOnly && channel === 'batch') return refuse('This one is decided by itself, not in a batch: look at it and decide it alone.');
  if (state.escalated && !isAdmin) return refuse('This approval was escalated; an admin decides it.');
  if (state.handedOver.includes(personId(actor))) return refuse(`You delegated this approval to ${state.assignedTo}.`);
  return requesters.includes(personId(actor)) ? refuse('Nobody decides their own request on this site; ask somebody else.') : undefined;
};

/** Agents never act as reviewers here: their own review has a route of its own. */
export const agentsDoNot = ({ actor: { kind }, review }: Pick<Reviewer, 'actor' | 'review'>): Rejected | undefined =>
  kind === 'agent' && !review ? reject('forbidden', 'FORBIDDEN', 'Agents do not decide approvals; a person does.') : undefined;

/** Where a reviewer finds an approval, from the root of the server. */
export const approvalLink = (approvalId: string) => `/studio#/approvals/${approvalId}`;

export const personOf = ({ kind, id, role, userId }: Actor) => ({ kind, id, ...(role !== undefined && { role }), ...(userId !== undefined && { userId }) });
