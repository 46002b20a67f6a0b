import { LOAD_SIGNALS, type LoadEvent } from '../load.events';

/** One look at the load. `eventLoopDelayMs` is the mean since the look before, `projectionLagMs` that of the read model furthest behind. */
export type LoadSample = Readonly<Record<(typeof LOAD_SIGNALS)[number], number>>;
export type LoadThresholds = LoadSample;
export type LoadSignals = Extract<LoadEvent, { type: 'BackpressureActivated' }>['data']['signals'];

/**
 * Measured on two cores with a load average of 15: an idle loop is 1 ms late on average, one that answers requests as fast as it can 10 to 17 ms. So
 * 200 ms over five seconds means that requests queue. Read models are some milliseconds behind and a `SELECT 1` takes one: half a minute and two
 * seconds are no peaks any more.
 */
export const DEFAULT_THRESHOLDS: LoadThresholds = { eventLoopDelayMs: 200, projectionLagMs: 30_000, databaseLatencyMs: 2_000 };
export const DEFAULT_HOLD_DOWN_MS = 60_000;
export const SAMPLE_EVERY_MS = 5_000;

/** What is above its threshold. */
export const signalsOf = (sample: LoadSample, thresholds: LoadThresholds): LoadSignals =>
  LOAD_SIGNALS.flatMap((signal) => (sample[signal] > thresholds[signal] ? [{ signal, valueMs: rounded(sample[signal]), thresholdMs: thresholds[signal] }] : []));

/** Released only when nothing was above its threshold for the whole hold-down: every new peak starts it anew. */
export const isCalm = (lastPeakAt: Date, now: Date, holdDownMs: number): boolean => now.getTime() - lastPeakAt.getTime() >= holdDownMs;

/** When a call that waits may ask again: when the hold-down can be over at the earliest, and not before the next look. */
export const retryAfterMs = ({ at, holdDownMs }: { readonly at: string; readonly holdDownMs: number }, now: Date): number =>
  Math.max(SAMPLE_EVERY_MS, Date.parse(at) + holdDownMs - now.getTime());

/** The activation in words, for the incident. */
export const sentenceOf = (signals: LoadSignals): string =>
  `Backpressure: ${signals.map(({ signal, valueMs, thresholdMs }) => `${NAMES[signal]} is ${valueMs} ms, above ${thresholdMs} ms`).join('; ')}. Work of the reconciler waits.`;

const NAMES: Readonly<Record<(typeof LOAD_SIGNALS)[number], string>> = {
  eventLoopDelayMs: 'the delay of the event loop', projectionLagMs: 'the lag of the read models', databaseLatencyMs: 'the latency of the database',
};
const rounded = (ms: number) => Math.round(ms * 1_000) / 1_000;
