export { CallInFlight } from './calls-in-flight/call-in-flight.view';
export { ListCallsInFlight } from './calls-in-flight/list-calls-in-flight.query';
export { FreezesView, FreezeView, KilledView, LiftedView } from './freeze-list/freeze.view';
export { ListFreezes } from './freeze-list/list-freezes.query';
export { FreezeScope, KillBody, type Frozen } from './freeze-scope/freeze-scope.command';
export { LiftBody, LiftFreeze } from './lift-freeze/lift-freeze.command';
