import { approval, type ApprovalEvent, type Approval } from '@app/approvals/contract';
import type { StreamRef } from '@app/event-store';
import { goal, type Goal, type GoalEvent } from '@app/goals/contract';
import { governance, type Governance, type GovernanceEvent } from '@app/governance/contract';
import { run, type Run, type RunEvent } from '@app/runs/contract';
import { staging, type Staging, type StagingEvent } from '@app/staging/contract';
import { principal, type PrincipalEvent, type PrincipalState } from '@app/sites/contract';

export type DoorIds = {
  readonly runId: string;
  readonly goalId: string;
  readonly siteId: string;
  readonly approvalId: string;
  readonly principalId: string;
  readonly stagingId?: string | undefined;
  /** The ids of the approval and of the staging were made for this very decision. */
  readonly newIds?: boolean;
};

/** Runs, goals and approvals are written; the others must not have moved. */
export type DoorStreams = {
  readonly run: StreamRef<Run, RunEvent>;
  readonly goal: StreamRef<Goal, GoalEvent>;
  readonly approval: StreamRef<Approval, ApprovalEvent>;
  readonly governance: StreamRef<Governance, GovernanceEvent>;
  readonly principal: StreamRef<PrincipalState, PrincipalEvent>;
};

/**
 * The streams a door decision touches: it writes run, goal and approval together, and only if neither the site's governance nor the run's
 * principal has moved. So a freeze and a revocation are in force for everything after their own position. A call that may be staged has the
 * stream of its staging as well; no other call looks it up.
 */
export const doorStreams = ({ runId, goalId, siteId, approvalId, principalId, stagingId, newIds }: DoorIds): DoorStreams => ({
  run: { aggregate: run, id: runId },
  goal: { aggregate: goal, id: goalId },
  approval: { aggregate: approval, id: approvalId, ...(newIds && { fresh: true }) },
  governance: { aggregate: governance, id: siteId, guard: true },
  principal: { aggregate: principal, id: principalId, guard: true },
  ...(stagingId !== undefined && { staging: { aggregate: staging, id: stagingId, ...(newIds && { fresh: true }) } satisfies StreamRef<Staging, StagingEvent> }),
});
