import { Inject } from '@nestjs/common';
import { QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { approval } from '@app/approvals/contract';
import { EventStore } from '@app/event-store';
import { governance } from '@app/governance/contract';
import { idOf, missing, type Outcome } from '@app/kernel';
import { isOpened, run, runView } from '@app/runs/contract';
import type { LogReads } from '../log-reads';
import { isDecision, type RecordedRunEvent } from '../redecide/decision-event.policy';
import { Aggregates } from './aggregates';
import { GetApprovalAt, GetAutonomyAt, GetGovernanceAt, GetRunAt, GetStreamAt } from './at.query';
import type { ApprovalAtView, AutonomyAtView, GovernanceAtView, RunAtView, StreamAtView } from './at.view';
import { asOf, decisionView, type DecisionView } from './decision.view';
import { governanceView, grantsAt } from './governance-at.policy';
import type { Moment } from './moment.policy';
import { streamAt } from './stream-at';

const collecting = (decisions: DecisionView[]) => (event: RecordedRunEvent) => {
  if (isDecision(event)) decisions.push(decisionView(event));
};

@QueryHandler(GetStreamAt)
export class GetStreamAtHandler implements IQueryHandler<GetStreamAt> {
  constructor(
    @Inject(EventStore) private readonly log: LogReads,
    private readonly aggregates: Aggregates,
  ) {}

  async execute({ streamId, siteId, moment }: GetStreamAt): Promise<Outcome<StreamAtView>> {
    const aggregate = this.aggregates.of(streamId);
    if (!aggregate) return missing();
    const decisions: DecisionView[] = [];
    const at = await streamAt(this.log, aggregate, { id: idOf(streamId), siteId, moment, ...(aggregate.category === 'run' && { onEvent: collecting(decisions) }) });
    return at.ok ? { ...at, data: { streamId, asOf: asOf(at.data), state: at.data.state as StreamAtView['state'], decisions } } : at;
  }
}

@QueryHandler(GetRunAt)
export class GetRunAtHandler implements IQueryHandler<GetRunAt> {
  constructor(@Inject(EventStore) private readonly log: LogReads) {}

  async execute({ runId, siteId, moment }: GetRunAt): Promise<Outcome<RunAtView>> {
    const decisions: DecisionView[] = [];
    const at = await streamAt(this.log, run, { id: runId, siteId, moment, onEvent: collecting(decisions) });
    if (!at.ok) return at;
    const { state } = at.data;
    return isOpened(state) ? { ...at, data: { ...runView(state), asOf: asOf(at.data), decisions } } : missing();
  }
}

@QueryHandler(GetApprovalAt)
export class GetApprovalAtHandler implements IQueryHandler<GetApprovalAt> {
  constructor(@Inject(EventStore) private readonly log: LogReads) {}

  async execute({ approvalId, siteId, moment }: GetApprovalAt): Promise<Outcome<ApprovalAtView>> {
    const at = await streamAt(this.log, approval, { id: approvalId, siteId, moment });
    if (!at.ok) return at;
    const { state } = at.data;
    return { ...at, data: { approvalId, status: state.status, asOf: asOf(at.data), state: state as unknown as ApprovalAtView['state'] } };
  }
}

/** What counts for expiry: the instant that was asked for, else that of the last change. */
const instantOf = (moment: Moment, { occurredAt }: { readonly occurredAt: string }) => new Date('time' in moment ? moment.time : occurredAt);

@QueryHandler(GetGovernanceAt)
export class GetGovernanceAtHandler implements IQueryHandler<GetGovernanceAt> {
  constructor(@Inject(EventStore) private readonly log: LogReads) {}

  async execute({ siteId, moment }: GetGovernanceAt): Promise<Outcome<GovernanceAtView>> {
    const at = await streamAt(this.log, governance, { id: siteId, siteId, moment });
    if (!at.ok) return at;
    const { state } = at.data;
    return state.status === 'site' ? { ...at, data: { asOf: asOf(at.data), ...governanceView(state, instantOf(moment, at.data)) } } : missing();
  }
}

@QueryHandler(GetAutonomyAt)
export class GetAutonomyAtHandler implements IQueryHandler<GetAutonomyAt> {
  constructor(@Inject(EventStore) private readonly log: LogReads) {}

  async execute({ siteId, moment }: GetAutonomyAt): Promise<Outcome<AutonomyAtView>> {
    const at = await streamAt(this.log, governance, { id: siteId, siteId, moment });
    if (!at.ok) return at;
    const { state } = at.data;
    return state.status === 'site' ? { ...at, data: { asOf: asOf(at.data), grants: grantsAt(state, instantOf(moment, at.data)) } } : missing();
  }
}
