import { unreachable, type Aggregate } from '@app/kernel';
import type { DeploymentEvent } from './deployment.events';

type EventData<T extends DeploymentEvent['type']> = Extract<DeploymentEvent, { type: T }>['data'];
type Triggered = Omit<EventData<'DeploymentTriggered'>, 'at'> & { readonly triggeredAt: string; /** How often its hook was to be called. */ readonly attempts: number };

export type KnownDeployment = Triggered &
  (
    | { readonly status: 'triggered' }
    | ({ readonly status: 'succeeded'; readonly endedAt: string } & Omit<EventData<'DeploymentSucceeded'>, 'at'>)
    | ({ readonly status: 'failed'; readonly endedAt: string; readonly failure: Omit<EventData<'DeploymentFailed'>, 'at' | 'durationMs'>; readonly durationMs: number | null })
  );
export type Deployment = { readonly status: 'none' } | KnownDeployment;

/** The first outcome of an attempt counts. One that failed may be tried again, as the same deployment. */
export const deployment: Aggregate<Deployment, DeploymentEvent> = {
  category: 'deployment',
  stateVersion: 1,
  initial: { status: 'none' },
  evolve: (state, event) => {
    if (event.type === 'DeploymentTriggered') {
      const { at: triggeredAt, ...triggered } = event.data;
      return { status: 'triggered', ...triggered, triggeredAt, attempts: state.status === 'none' ? 1 : state.attempts + 1 };
    }
    if (state.status !== 'triggered') return state;
    switch (event.type) {
      case 'DeploymentSucceeded':
        return { ...state, status: 'succeeded', answer: event.data.answer, durationMs: event.data.durationMs, endedAt: event.data.at };
      case 'DeploymentFailed':
        return { ...state, status: 'failed', failure: { code: event.data.code, reason: event.data.reason }, durationMs: event.data.durationMs, endedAt: event.data.at };
      default:
        return unreachable(event);
    }
  },
};
