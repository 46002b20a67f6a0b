import { Query, type Outcome } from '@app/kernel';
import type { ApprovalAtView, AutonomyAtView, GovernanceAtView, RunAtView, StreamAtView } from './at.view';
import type { Moment } from './moment.policy';

/** Any stream of the site, folded up to a moment, with the inputs of the decisions in it. */
export class GetStreamAt extends Query<Outcome<StreamAtView>> {
  constructor(readonly streamId: string, readonly siteId: string, readonly moment: Moment) {
    super();
  }
}

export class GetRunAt extends Query<Outcome<RunAtView>> {
  constructor(readonly runId: string, readonly siteId: string, readonly moment: Moment) {
    super();
  }
}

export class GetApprovalAt extends Query<Outcome<ApprovalAtView>> {
  constructor(readonly approvalId: string, readonly siteId: string, readonly moment: Moment) {
    super();
  }
}

/** Everything decisions of the site depended on. */
export class GetGovernanceAt extends Query<Outcome<GovernanceAtView>> {
  constructor(readonly siteId: string, readonly moment: Moment) {
    super();
  }
}

export class GetAutonomyAt extends Query<Outcome<AutonomyAtView>> {
  constructor(readonly siteId: string, readonly moment: Moment) {
    super();
  }
}
