import type { CallInFlight, FreezesView, FreezeView, KillBody, KilledView, LiftBody, LiftedView } from '@app/kill-switch/contract';
import type { Answer, ReadOptions, Transport, WriteOptions } from './connection/transport';

export type Freeze = FreezeView;
/** Those in force, with the calls that were let through before and go on, and all there ever were. */
export type Freezes = FreezesView;
/** What is to stop: a run, which is cancelled, or an intent, a role or the whole site, which stay frozen until that is lifted. */
export type KillOrder = KillBody;
/** `inFlight` is complete once `inFlightAsOf` has reached `effectiveAt`, the position from which nothing is let through. */
export type Killed = KilledView;
/** By id, or by what is frozen. */
export type LiftOrder = LiftBody;
export type Lifted = LiftedView;
export type { CallInFlight };

/** Stops agents at once, in every process. */
export class KillSwitch {
  constructor(private readonly transport: Transport) {}

  get = async (options?: ReadOptions): Promise<Freezes> => (await this.transport.read<Freezes>('/agent/kill-switch', options)).data;

  kill = (order: KillOrder, options?: WriteOptions): Promise<Answer<Killed>> => this.transport.write('POST', '/agent/kill-switch', order, options);

  lift = (order: LiftOrder, options?: WriteOptions): Promise<Answer<Lifted>> => this.transport.write('POST', '/agent/kill-switch/lift', order, options);
}
