import { unreachable, type Aggregate } from '@app/kernel';
import type { FlowEvent } from './flow.events';

type EventData<T extends FlowEvent['type']> = Extract<FlowEvent, { type: T }>['data'];

/** An occurrence that has begun and not ended; it keeps the operations it began with. */
export type OpenOccurrence = EventData<'FlowStarted'> & Pick<EventData<'FlowDefined'>, 'operations'>;
export type KnownFlow = Omit<EventData<'FlowDefined'>, 'at'> & {
  readonly status: 'live' | 'deleted';
  readonly createdAt: string;
  readonly changedAt: string;
  readonly open: OpenOccurrence | null;
  readonly lastRun: EventData<'FlowRan'> | null;
};
export type Flow = { readonly status: 'none' } | KnownFlow;

/** At most one occurrence of a flow is under way. */
export const flow: Aggregate<Flow, FlowEvent> = {
  category: 'flow',
  stateVersion: 1,
  initial: { status: 'none' },
  evolve: (state, event) => {
    if (event.type === 'FlowDefined') {
      const { at, ...defined } = event.data;
      return { status: 'live', ...defined, createdAt: at, changedAt: at, open: null, lastRun: null };
    }
    if (state.status === 'none') return state;
    switch (event.type) {
      case 'FlowChanged': {
        const { at: changedAt, ...shape } = event.data;
        return { ...state, ...shape, changedAt };
      }
      case 'FlowDeleted':
        return { ...state, status: 'deleted', enabled: false, nextRunAt: null, changedAt: event.data.at };
      case 'FlowStarted':
        return { ...state, nextRunAt: event.data.nextRunAt, open: { ...event.data, operations: state.operations } };
      case 'FlowRan':
        return { ...state, open: state.open?.occurrenceId === event.data.occurrenceId ? null : state.open, lastRun: event.data };
      default:
        return unreachable(event);
    }
  },
};
