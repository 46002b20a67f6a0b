import { describe, expect, it } from '@jest/globals';
import { context, specification } from '@app/kernel/testing';
import { governance, type Governance } from '@app/governance/contract';
import { incident } from '@app/trust/contract';
import fc from 'fast-check';
import type { LoadEvent } from '../load.events';
import { load } from '../load.state';
import { activateBackpressure, releaseBackpressure } from './backpressure.decide';
import { DEFAULT_THRESHOLDS, isCalm, retryAfterMs, signalsOf } from './backpressure.policy';

const NOW = context().now;
const later = (ms: number) => new Date(NOW.getTime() + ms);
const site = governance.evolve(governance.initial, { type: 'SiteCreated', data: { siteId: 'site_a', name: 'A' } });
const signals = signalsOf({ eventLoopDelayMs: 250.12345, projectionLagMs: 0, databaseLatencyMs: 0 }, DEFAULT_THRESHOLDS);
const ask = (activation = 1) => ({ activation, incidentId: `inc_${activation}`, signals, holdDownMs: 60_000 });
const activated = (activation = 1): LoadEvent => ({
  type: 'BackpressureActivated', data: { siteId: 'site_a', activation, incidentId: `inc_${activation}`, signals, holdDownMs: 60_000, at: NOW.toISOString() },
});
const released = (activation = 1): LoadEvent => ({ type: 'BackpressureReleased', data: { activation, calmSince: NOW.toISOString(), at: later(60_000).toISOString() } });
const given = specification(load);
const activate = (state: typeof load.initial, wanted = ask(), of: Governance = site) => activateBackpressure({ load: state, incident: incident.initial, governance: of }, wanted, context());

describe('Backpressure', () => {
  it('comes on with one incident, which names no role and costs nobody anything', () => {
    const { decision } = given().when((state) => activate(state));
    expect(decision).toMatchObject({
      ok: true,
      events: {
        load: [activated()], governance: [],
        incident: [{ type: 'IncidentOpened', data: { incidentId: 'inc_1', source: 'load_guard', severity: 'medium', agentRole: null, demoted: [], detail: 'Backpressure: the delay of the event loop is 250.123 ms, above 200 ms. Work of the reconciler waits.' } }],
      },
    });
  });

  it('does not come on twice, nor again for a peak of before its release', () => {
    given(activated()).when((state) => activate(state, ask(2))).then({});
    given(activated(), released()).when((state) => activate(state, ask(1))).then({});
  });

  it('is released once', () => {
    given(activated()).when((state) => releaseBackpressure({ load: state }, NOW, later(60_000))).then({ load: [released()] });
    given(activated(), released()).when((state) => releaseBackpressure({ load: state }, NOW, later(90_000))).then({ load: [] });
  });

  it('is seen in every one of its three signals, above the threshold and not at it', () => {
    const calm = { eventLoopDelayMs: 200, projectionLagMs: 30_000, databaseLatencyMs: 2_000 };
    expect(signalsOf(calm, DEFAULT_THRESHOLDS)).toEqual([]);
    for (const signal of Object.keys(calm) as (keyof typeof calm)[]) {
      expect(signalsOf({ ...calm, [signal]: calm[signal] + 1 }, DEFAULT_THRESHOLDS)).toEqual([{ signal, valueMs: calm[signal] + 1, thresholdMs: calm[signal] }]);
    }
  });

  it('lets a call ask again when the hold-down can be over', () => {
    expect([retryAfterMs({ at: NOW.toISOString(), holdDownMs: 60_000 }, later(20_000)), retryAfterMs({ at: NOW.toISOString(), holdDownMs: 60_000 }, later(600_000))]).toEqual([40_000, 5_000]);
  });

  it('[LOAD-011] is released after exactly the hold-down without a peak, 60 s by default, and every new peak starts that anew', () => {
    const pauses = fc.array(fc.tuple(fc.integer({ min: 1, max: 90_000 }), fc.boolean()), { minLength: 1, maxLength: 40 });
    fc.assert(
      fc.property(pauses, fc.constantFrom(60_000, 5_000), (looks, holdDownMs) => {
        let [at, lastPeak, state] = [0, -Infinity, load.evolve(load.initial, activated())];
        const peaks = [0];
        for (const [pause, isPeak] of looks) {
          at += pause;
          if (isPeak) peaks.push(at);
          lastPeak = Math.max(...peaks);
          if (isPeak && state.status === 'calm') state = load.evolve(state, activated(state.activations + 1));
          if (!isPeak && isCalm(later(lastPeak), later(at), holdDownMs)) state = load.evolve(state, released(state.activations));
          // What must hold whatever the looks were: pressed as long as some peak is younger than the hold-down.
          const recent = peaks.some((peak) => at - peak < holdDownMs);
          if (recent) expect(state.status).toBe('pressed');
          if (!isPeak && !recent) expect(state.status).toBe('calm');
        }
      }),
      { numRuns: 300 },
    );
  });
});
