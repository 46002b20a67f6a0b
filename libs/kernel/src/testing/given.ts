import { expect } from '@jest/globals';
import type { Aggregate, Context } from '../decider';
import type { Actor, Event } from '../event';
import type { Decision, ProblemCode } from '../result';

export const ada: Actor = { kind: 'human', id: 'key_ada' };
export const robot: Actor = { kind: 'agent', id: 'key_robot' };

/** A context for decisions in specs; the clock stands still at 2030-01-01T10:00Z. */
export const context = (overrides: Partial<Context> = {}): Context => ({
  actor: ada, siteId: 'site_a', now: new Date('2030-01-01T10:00:00.000Z'), correlationId: 'corr-1', commandId: 'cmd-1', ...overrides,
});

/** `given(history).when(decision).then(events)` for one stream. */
export const specification =
  <State, E extends Event>(aggregate: Aggregate<State, E>) =>
  (...history: E[]) => ({
    when: <Events>(decide: (state: State) => Decision<Events>) => {
      const decision = decide(history.reduce(aggregate.evolve, aggregate.initial));
      return {
        decision,
        then: (events: Events) => expect(decision).toEqual({ ok: true, events }),
        thenRejected: (code: ProblemCode) => expect(decision).toMatchObject({ ok: false, rejection: { code } }),
      };
    },
  });
