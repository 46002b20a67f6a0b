import { personOf, type ApprovalEvent } from '@app/approvals/contract';
import type { Actor } from '@app/kernel';
import type { StagedChange } from '../staging.state';
import type { StagingEvent } from '../staging.events';

export type NewStaging = Omit<StagedChange, 'stagedAt' | 'autoCommitAt'>;
type Question = {
  readonly domain: 'items' | 'schema' | 'tools';
  readonly subject: string;
  /** The arguments as they were asked for: what is shown is what is digested. */
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly policy: string;
  readonly requestedBy: Actor;
};

/**
 * A staged change and the question about it: silence until `autoCommitAt` means consent. Such a question never expires; its deadline is
 * the staging's own.
 */
export const stageChange = (change: NewStaging, question: Question, now: Date, windowMs: number): { readonly staging: Extract<StagingEvent, { type: 'ChangeStaged' }>; readonly approval: ApprovalEvent } => {
  const stagedAt = now.toISOString();
  const autoCommitAt = new Date(now.getTime() + windowMs).toISOString();
  const { approvalId, siteId, goalId, runId, callId, tool, actionDigest, capability, agentRole } = change;
  const { domain, subject, policy, requestedBy } = question;
  return {
    staging: { type: 'ChangeStaged', data: { ...change, stagedAt, autoCommitAt } },
    approval: {
      type: 'ApprovalRequested',
      data: {
        approvalId, siteId, kind: 'veto', domain, subject, goalId, runId, callId, tool, arguments: question.arguments as Record<string, never>,
        actionDigest, capability, policy, agentRole, quorum: 1, humanOnly: true, autoCommitAt,
        requestedBy: personOf(requestedBy),
        requestedAt: stagedAt, expiresAt: autoCommitAt,
      },
    },
  };
};
