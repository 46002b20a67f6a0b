import { eventFamily, type EventOf } from '@app/kernel';
import { z } from 'zod';

export const LOAD_SIGNALS = ['eventLoopDelayMs', 'projectionLagMs', 'databaseLatencyMs'] as const;

/** Milliseconds, as measured, and the threshold that they were above. */
const Signal = z.strictObject({ signal: z.enum(LOAD_SIGNALS), valueMs: z.number(), thresholdMs: z.number() });

/** The load of the installation as one site feels it: from the activation to the release its reconciler waits. */
export const loadEvents = eventFamily('load', {
  /** `activation` counts those of the site, from 1. */
  BackpressureActivated: z.strictObject({
    siteId: z.string(),
    activation: z.int().min(1),
    incidentId: z.string(),
    signals: z.array(Signal).min(1),
    holdDownMs: z.int(),
    at: z.string(),
  }),
  /** `calmSince` is the last moment at which anything was above its threshold. */
  BackpressureReleased: z.strictObject({ activation: z.int().min(1), calmSince: z.string(), at: z.string() }),
});
export type LoadEvent = EventOf<typeof loadEvents>;
