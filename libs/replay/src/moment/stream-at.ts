import { missing, reject, type Aggregate, type Event, type Outcome, type Recorded } from '@app/kernel';
import type { LogReads } from '../log-reads';
import { isAfter, type Moment } from './moment.policy';

/** A stream as it was: its state, and the last event that belongs to that moment. */
export type StreamAt<State> = { readonly state: State; readonly version: number; readonly position: bigint; readonly occurredAt: string };

/**
 * The state of a stream at a moment. By time, the first later event ends the past: what stands behind it belongs to the present even if the
 * clock of its writer was slow. Streams of other sites are as if they were not there; one that began later says so.
 */
export const streamAt = async <State, E extends Event>(
  log: Pick<LogReads, 'read'>,
  aggregate: Aggregate<State, E>,
  { id, siteId, moment, onEvent }: { readonly id: string; readonly siteId: string; readonly moment: Moment; readonly onEvent?: (event: Recorded<E>) => void },
): Promise<Outcome<StreamAt<State>>> => {
  let state = aggregate.initial;
  let last: Recorded | undefined;
  for await (const event of log.read(`${aggregate.category}-${id}`)) {
    if (event.siteId !== siteId) return missing();
    if (isAfter(event, moment)) return last ? found(state, last) : notYet(event);
    state = aggregate.evolve(state, event as unknown as E);
    onEvent?.(event as unknown as Recorded<E>);
    last = event;
  }
  return last ? found(state, last) : missing();
};

const found = <State>(state: State, { version, position, occurredAt }: Recorded): Outcome<StreamAt<State>> => ({
  ok: true, data: { state, version, position, occurredAt }, position,
});

const notYet = ({ position, occurredAt }: Recorded) =>
  reject('missing', 'NOT_FOUND', `It did not exist at that moment: it began at position ${position}, ${occurredAt}.`, { position: String(position), occurredAt });
