import { unreachable, type Aggregate } from '@app/kernel';
import type { IncidentEvent } from './incident.events';

type EventData<T extends IncidentEvent['type']> = Extract<IncidentEvent, { type: T }>['data'];

export type Incident =
  | { readonly status: 'none' }
  | { readonly status: 'open'; readonly opened: EventData<'IncidentOpened'> }
  | { readonly status: 'resolved'; readonly opened: EventData<'IncidentOpened'>; readonly resolved: EventData<'IncidentResolved'> };

export const incident: Aggregate<Incident, IncidentEvent> = {
  category: 'incident',
  stateVersion: 1,
  initial: { status: 'none' },
  evolve: (state, event) => {
    switch (event.type) {
      case 'IncidentOpened':
        return { status: 'open', opened: event.data };
      case 'IncidentResolved':
        return state.status === 'none' ? state : { status: 'resolved', opened: state.opened, resolved: event.data };
      default:
        return unreachable(event);
    }
  },
};
