export { Catalogue, eventFamily, type EventOf, type EventType, type Problem, type Schema } from './catalogue';
export { atStep, type Aggregate, type Context, type Evolve } from './decider';
export { categoryOf, idOf, unreachable, type Actor, type Event, type Metadata, type Recorded } from './event';
export { Command, Query } from './message';
export { FORGOTTEN, FORGOTTEN_TEXT, type SealedKind, type SealedPayload, type SealedPayloads } from './sealed-payload';
export { covers, may, personId, type Principal } from './principal';
export {
  accept, missing, PROBLEM_CODES, reject,
  type Decision, type Outcome, type ProblemCode, type Rejected, type Rejection, type RejectionKind,
} from './result';
