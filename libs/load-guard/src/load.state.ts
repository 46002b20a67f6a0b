import { unreachable, type Aggregate } from '@app/kernel';
import type { LoadEvent } from './load.events';

type Activated = Extract<LoadEvent, { type: 'BackpressureActivated' }>['data'];

/** `activations` is how often backpressure came on so far. */
export type Load =
  | { readonly status: 'calm'; readonly activations: number }
  | { readonly status: 'pressed'; readonly activations: number; readonly activated: Activated };

/** Of one site; its stream is `load-<siteId>`. */
export const load: Aggregate<Load, LoadEvent> = {
  category: 'load',
  stateVersion: 1,
  initial: { status: 'calm', activations: 0 },
  evolve: (state, event) => {
    switch (event.type) {
      case 'BackpressureActivated':
        return { status: 'pressed', activations: event.data.activation, activated: event.data };
      case 'BackpressureReleased':
        return { status: 'calm', activations: state.activations };
      default:
        return unreachable(event);
    }
  },
};
