import { covers, missing, reject, type Rejected } from '@app/kernel';
import { settledAlready, type AgentReview, type Approval, type Reviewer } from '@app/approvals/contract';
import { freezeOf, type Site } from '@app/governance/contract';
import { isLive, isOpened, type Run } from '@app/runs/contract';
import { escalationCause } from './finality.policy';

/** `reviewing` is the agent's run, as the log has it; `reviewer` is who stands behind it, as authenticated. */
export type ReviewFacts = {
  readonly site: Site;
  readonly approval: Approval;
  readonly reviewing: Run;
  readonly reviewer: Pick<Reviewer, 'actor'> & { readonly review: AgentReview };
  readonly now: Date;
};

const forbid = (detail: string, facts?: Readonly<Record<string, unknown>>) => reject('forbidden', 'FORBIDDEN', detail, facts);

/** Two goals of one tree share their root. A line that could not be followed to its root is held to lead anywhere. */
export const sameTree = (one: readonly string[] | undefined, other: readonly string[] | undefined): boolean =>
  !one || !other || one.some((goalId) => other.includes(goalId));

/** Why an agent may not review this approval; undefined when it may. Nothing here depends on what it would say. */
export const reviewRefusal = ({ site, approval, reviewing, reviewer, now }: ReviewFacts): Rejected | undefined => {
  if (!site.flags.agentReview) return reject('conflict', 'FLAG_OFF', 'Agents do not review on this site: contentOs.agentReview is off.', { flag: 'contentOs.agentReview' });
  if (approval.status === 'none' || approval.request.siteId !== site.siteId) return missing();
  return reviewerRefusal(site, reviewing, reviewer, approval.request.domain) ?? subjectRefusal(approval, reviewer.review, now);
};

/** The run must be a live one of the caller, whose role and key both hold `review:<domain>`; a run without a role reviews nothing. */
const reviewerRefusal = (site: Site, reviewing: Run, { actor, review }: ReviewFacts['reviewer'], domain: string): Rejected | undefined => {
  if (!isOpened(reviewing)) return missing();
  const { agentRole, envelope } = reviewing;
  if (envelope.context.siteId !== site.siteId || envelope.principalId !== actor.id) return missing();
  if (!isLive(reviewing) || reviewing.cancelRequested) {
    return reject('conflict', 'RUN_TERMINAL', 'The reviewing run has ended or is being cancelled.', { runStatus: reviewing.status });
  }
  const freeze = freezeOf(site, reviewing);
  if (freeze) return reject('frozen', 'FROZEN', 'The reviewer is frozen.', { freezeId: freeze.freezeId, scope: freeze.scope });
  const role = agentRole !== undefined && Object.hasOwn(site.roles, agentRole) ? site.roles[agentRole] : undefined;
  const wanted = `review:${domain}`;
  const held = [role?.enabled ? role.capabilities : [], envelope.capabilities, review.capabilities];
  return held.every((each) => covers(each, wanted)) ? undefined : forbid(`The reviewing run needs ${wanted} in its role and its key.`, { missing: [wanted] });
};

const subjectRefusal = (approval: Exclude<Approval, { status: 'none' }>, { runId, lineage, subjectLineage }: AgentReview, now: Date): Rejected | undefined => {
  const { kind, humanOnly, runId: asking } = approval.request;
  if (kind === 'veto' || kind === 'promotion') return forbid(`Approvals of kind ${kind} are decided by people only.`, { kind });
  if (humanOnly) return forbid('Only a human decides this one.');
  if (asking === runId || sameTree(lineage, subjectLineage)) return forbid('An agent never reviews what its own goal tree asked for.');
  return settledAlready(approval, now) ?? (approval.escalated ? forbid('This approval was escalated; an admin decides it.') : undefined);
};

/** Once an agent has left an approval to a human, no agent decides it: asking the next one until somebody agrees is no review. */
export const leftToHuman = (approval: Approval): Rejected | undefined =>
  approval.status !== 'none' && approval.reviewedBy !== null ? forbid('An agent has reviewed this already and left it to a human.') : undefined;

/** What the door asks, under its guards, before an agent's approval counts; undefined for people, whom other rules hold. */
export const agentDecisionRefusal = ({ reviewer, ...facts }: Omit<ReviewFacts, 'reviewer'> & { readonly reviewer: Reviewer }): Rejected | undefined => {
  const { actor, review } = reviewer;
  if (!review) return undefined;
  const refused = reviewRefusal({ ...facts, reviewer: { actor, review } }) ?? leftToHuman(facts.approval);
  if (refused || facts.approval.status === 'none') return refused;
  const cause = escalationCause({ verdict: 'approve', confidence: review.confidence }, facts.site.settings, facts.approval.request.quorum);
  return cause && reject('conflict', 'CONFLICT', 'The rules for reviews changed meanwhile; review it again.', { cause });
};
