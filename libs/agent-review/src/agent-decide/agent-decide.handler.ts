import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { approval as approvalAggregate, approvalLink, DecideApproval, type Approval, type Reviewer } from '@app/approvals/contract';
import { Bus } from '@app/cqrs';
import { Executor } from '@app/event-store';
import { goal } from '@app/goals/contract';
import { governance } from '@app/governance/contract';
import { accept, missing, type Outcome } from '@app/kernel';
import { run, type Run } from '@app/runs/contract';
import { escalationCause } from '../finality.policy';
import { lineageOf } from '../goal-lineage';
import { AgentDecide, type AgentDecided } from './agent-decide.command';
import { escalateReview } from './agent-decide.decide';

@CommandHandler(AgentDecide)
export class AgentDecideHandler implements ICommandHandler<AgentDecide> {
  constructor(
    private readonly executor: Executor,
    private readonly bus: Bus,
  ) {}

  /** A verdict that decides goes the way of every approval, through the door, which asks the same questions again under its guards. */
  async execute({ approvalId, body, principal, context }: AgentDecide): Promise<Outcome<AgentDecided>> {
    const { reviewerRunId, reason, verdict, confidence } = body;
    const [asked, reviewing] = await Promise.all([this.executor.current(approvalAggregate, approvalId), this.executor.current(run, reviewerRunId)]);
    const [lineage, subjectLineage] = await Promise.all([
      this.lineageOf(goalOfRun(reviewing.state, context.siteId)),
      this.lineageOf(goalOfApproval(asked.state, context.siteId)),
    ]);
    const role = 'agentRole' in reviewing.state ? reviewing.state.agentRole : undefined;
    const reviewer: Reviewer & Required<Pick<Reviewer, 'review'>> = {
      actor: { kind: 'agent', id: principal.id, ...(role !== undefined && { role }) },
      isAdmin: false,
      channel: 'agent_review',
      assurance: 'api_key',
      review: { runId: reviewerRunId, capabilities: principal.capabilities, confidence, lineage, subjectLineage },
    };
    const refs = {
      approval: { aggregate: approvalAggregate, id: approvalId },
      reviewing: { aggregate: run, id: reviewerRunId, guard: true },
      governance: { aggregate: governance, id: context.siteId, guard: true },
    } as const;
    let cause: ReturnType<typeof escalationCause>;
    const escalated = await this.executor.execute(refs, { ...context, commandId: `${context.commandId}:escalate` }, ({ approval, reviewing, governance: site }) => {
      if (site.status === 'none') return missing();
      const decision = escalateReview({ site, approval, reviewing, reviewer, now: context.now }, body);
      cause = escalationCause(body, site.settings, approval.status === 'none' ? 1 : approval.request.quorum);
      return decision.ok ? accept({ approval: decision.events }) : decision;
    });
    // A repeat whose first attempt decided finds it decided; the door knows what that attempt did.
    const repeated = !escalated.ok && escalated.rejection.code === 'ALREADY_DECIDED' && context.repeatable === true && !cause;
    if (!escalated.ok && !repeated) return escalated;
    const deepLink = approvalLink(approvalId);
    if (escalated.ok && cause) return { ok: true, data: { approvalId, status: 'pending', escalated: true, cause, deepLink }, position: escalated.position };
    const decided = await this.bus.send(new DecideApproval(approvalId, { decision: verdict === 'approve' ? 'approved' : 'rejected', reason }, context, reviewer));
    if (!decided.ok) return decided;
    const { status, call } = decided.data;
    return { ok: true, data: { approvalId, status, escalated: false, cause: null, deepLink, ...(call !== undefined && { call: call as NonNullable<AgentDecided['call']> }) }, position: decided.position };
  }

  private lineageOf = (goalId: string | null) =>
    goalId === null ? Promise.resolve(undefined) : lineageOf(goalId, async (id) => {
      const { state } = await this.executor.current(goal, id);
      return state.status === 'none' ? undefined : state.parentGoalId;
    });
}

/** Records of other sites are not looked into: they cost what unknown ones cost. */
const goalOfRun = (state: Run, siteId: string) => ('envelope' in state && state.envelope.context.siteId === siteId ? state.goalId : null);
const goalOfApproval = (state: Approval, siteId: string) => (state.status !== 'none' && state.request.siteId === siteId ? state.request.goalId : null);
