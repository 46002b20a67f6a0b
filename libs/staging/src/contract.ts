export { stageChange, type NewStaging } from './stage-change/stage-change.policy';
export { STAGING_STATUSES, StagedView } from './staged-list/staged.view';
export { VetoStaging } from './veto-staging/veto-staging.command';
export { SweepStagings } from './sweep-stagings/sweep-stagings.command';
export { stagingEvents, type StagingEvent } from './staging.events';
export { staging, type StagedChange, type Staging } from './staging.state';
