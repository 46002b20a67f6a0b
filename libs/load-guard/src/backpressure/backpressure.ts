import { idOfText, type EventStore, type Executor } from '@app/event-store';
import { governance } from '@app/governance/contract';
import type { Context } from '@app/kernel';
import { incident } from '@app/trust/contract';
import { load } from '../load.state';
import { activateBackpressure, releaseBackpressure } from './backpressure.decide';
import { isCalm, SAMPLE_EVERY_MS, signalsOf, type LoadSignals, type LoadThresholds } from './backpressure.policy';
import type { LoadPeaks } from './load-peaks';
import type { LoadProbe } from './load-probe';

/** What an operator may set. `everyMs` is the pause between two looks. */
export type LoadLimits = { readonly thresholds: LoadThresholds; readonly holdDownMs: number; readonly everyMs: number };

export type BackpressureOptions = Omit<LoadLimits, 'everyMs'> & Partial<Pick<LoadLimits, 'everyMs'>> & {
  readonly probe: LoadProbe;
  readonly peaks: LoadPeaks;
  readonly executor: Executor;
  readonly store: Pick<EventStore, 'read'>;
  /** Every site of the installation: they share its processes, so all of them feel the load. */
  readonly sites: () => Promise<readonly string[]>;
  readonly onError: (error: unknown) => void;
  readonly now?: () => Date;
};

/**
 * Looks at the load every five seconds. Above a threshold every site comes under backpressure; when no process saw a peak for the hold-down, all are
 * released. What is so is in the log: any number of processes may run this, and a restart changes nothing.
 */
export class Backpressure {
  private timer: NodeJS.Timeout | undefined;
  private looking: Promise<void> | undefined;

  constructor(private readonly options: BackpressureOptions) {}

  start(): void {
    this.timer ??= setInterval(() => this.tick(), this.options.everyMs ?? SAMPLE_EVERY_MS).unref();
  }

  async stop(): Promise<void> {
    clearInterval(this.timer);
    await this.looking;
    this.options.probe.stop();
  }

  /** One look, and what follows from it. */
  async look(): Promise<void> {
    const { probe, peaks, thresholds, holdDownMs, now = () => new Date() } = this.options;
    const signals = signalsOf(await probe.sample(), thresholds);
    const at = now();
    if (signals.length > 0) {
      await peaks.note(at);
      await this.eachSite((siteId) => this.activate(siteId, signals, at));
    } else {
      await peaks.release((last) => isCalm(last, at, holdDownMs), (last) => this.eachSite((siteId) => this.release(siteId, last, at)));
    }
  }

  /** A look that takes longer than the pause is waited for, not doubled. */
  private tick(): void {
    this.looking ??= this.look().catch(this.options.onError).finally(() => (this.looking = undefined));
  }

  /** One after the other: this comes when there is load enough. */
  private async eachSite(change: (siteId: string) => Promise<void>): Promise<void> {
    for (const siteId of await this.options.sites()) await change(siteId);
  }

  private async activate(siteId: string, signals: LoadSignals, at: Date): Promise<void> {
    const { executor, holdDownMs } = this.options;
    const { state, version } = await executor.current(load, siteId);
    if (state.status === 'pressed') return;
    const activation = state.activations + 1;
    const incidentId = idOfText('inc', `backpressure|${siteId}|${activation}`);
    const refs = {
      load: { aggregate: load, id: siteId }, incident: { aggregate: incident, id: incidentId }, governance: { aggregate: governance, id: siteId },
    };
    const context = contextOf(siteId, at, `${await this.causeOf(siteId, version)}:press`);
    const done = await executor.execute(refs, context, (states) => activateBackpressure(states, { activation, incidentId, signals, holdDownMs }, context));
    if (!done.ok) this.options.onError(new Error(`Site ${siteId} was not put under backpressure: ${done.rejection.detail}`));
  }

  private async release(siteId: string, lastPeakAt: Date, at: Date): Promise<void> {
    const { executor } = this.options;
    const { state, version } = await executor.current(load, siteId);
    if (state.status === 'calm') return;
    const context = contextOf(siteId, at, `${await this.causeOf(siteId, version)}:release`);
    const done = await executor.execute({ load: { aggregate: load, id: siteId } }, context, (states) => releaseBackpressure(states, lastPeakAt, at));
    // The peak is kept, so the next look tries again.
    if (!done.ok) throw new Error(`Site ${siteId} was not released from backpressure: ${done.rejection.detail}`);
  }

  /** The event that the site's load is as it is since: the last change of it, or the making of the site. */
  private async causeOf(siteId: string, version: number): Promise<string> {
    const { store } = this.options;
    for await (const { eventId } of version > 0 ? store.read(`load-${siteId}`, version) : store.read(`governance-${siteId}`)) return eventId;
    return siteId;
  }
}

const contextOf = (siteId: string, now: Date, commandId: string): Context => ({ actor: { kind: 'service', id: 'load-guard' }, siteId, now, correlationId: commandId, commandId });
