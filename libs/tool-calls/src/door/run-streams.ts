import { approval, type ApprovalEvent, type Approval } from '@app/approvals/contract';
import type { StreamRef } from '@app/event-store';
import { goal, type Goal, type GoalEvent } from '@app/goals/contract';
import { governance, type Governance, type GovernanceEvent } from '@app/governance/contract';
import { run, type Run, type RunEvent } from '@app/runs/contract';

/** The streams a door decision touches: it writes run, goal and approval together, and only if the site's governance has not moved. */
export const doorStreams = ({ runId, goalId, siteId, approvalId }: { runId: string; goalId: string; siteId: string; approvalId: string }) => ({
  run: { aggregate: run, id: runId } satisfies StreamRef<Run, RunEvent>,
  goal: { aggregate: goal, id: goalId } satisfies StreamRef<Goal, GoalEvent>,
  approval: { aggregate: approval, id: approvalId } satisfies StreamRef<Approval, ApprovalEvent>,
  governance: { aggregate: governance, id: siteId, guard: true } as const satisfies StreamRef<Governance, GovernanceEvent>,
});
