import type { Actor, Event } from './event';

/** Everything a decision may know about the outside world; nothing else is reachable from a decide function. */
export type Context = {
  readonly actor: Actor;
  readonly siteId: string;
  readonly now: Date;
  readonly correlationId: string;
  readonly causationId?: string;
  readonly commandId: string;
  /** True when the sender chose `commandId` and may send it again: the log then remembers the result. */
  readonly repeatable?: boolean;
  readonly traceparent?: string;
  readonly runId?: string;
  readonly goalId?: string;
};

export type Evolve<State, E extends Event> = (state: State, event: E) => State;

/** How the events of one stream category fold to a state. States are plain data: they are stored as snapshots. */
export type Aggregate<State, E extends Event> = {
  readonly category: string;
  readonly initial: State;
  readonly evolve: Evolve<State, E>;
  /** Change it whenever the shape of the state changes: older snapshots are then ignored. */
  readonly stateVersion: number;
};
