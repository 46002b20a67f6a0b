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
  /** Told what was appended to a stream under this context, for somebody who counts the work done on their behalf. Never part of a decision. */
  readonly appended?: (streamId: string, events: readonly Event[]) => void;
};

/** The context of one command of a larger piece of work, whose id the given `commandId` is: the same step has the same id however often it is sent. */
export const atStep = (context: Context, step: string): Context => ({ ...context, commandId: `${context.commandId}:${step}` });

export type Evolve<State, E extends Event> = (state: State, event: E) => State;

/** How the events of one stream category fold to a state. States are plain data: they are stored as snapshots. */
export type Aggregate<State, E extends Event> = {
  readonly category: string;
  readonly initial: State;
  readonly evolve: Evolve<State, E>;
  /** Change it whenever the shape of the state changes: older snapshots are then ignored. */
  readonly stateVersion: number;
  /** Memory of a state in bytes, roughly; where it is not given, a state counts as large as all events it was folded from. */
  readonly bytesOf?: (state: State) => number;
};
