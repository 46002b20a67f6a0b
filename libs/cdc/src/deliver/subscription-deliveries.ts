import { setTimeout as sleep } from 'node:timers/promises';
import { idOf, type Recorded } from '@app/kernel';
import type { SubscriptionEvent } from '../subscription.events';
import { subscription, type KnownSubscription } from '../subscription.state';
import { DeliveryRound, type DeliveryRoundParts } from './delivery-round';
import { consumerOf } from './round.policy';

const PAUSE_MS = 1_000;

/**
 * Runs the deliveries of every subscription of every site, as the log says which there are: each begins, is begun anew and ends with the event that
 * says so. Each has a lease and a position of its own, so one whose receiver fails stops no other, and any number of processes may run them.
 */
export class SubscriptionDeliveries {
  private readonly live = new Map<string, KnownSubscription>();
  private readonly rounds = new Map<string, DeliveryRound>();
  private readonly ending = new Set<Promise<unknown>>();
  private readonly stopping = new AbortController();
  private following: Promise<void> = Promise.resolve();

  constructor(private readonly parts: DeliveryRoundParts) {}

  start(): void {
    this.following = this.follow();
  }

  /** Lets the deliveries in hand finish and gives the leases back. */
  async stop(): Promise<void> {
    this.stopping.abort();
    await this.following;
    await Promise.all([...[...this.rounds.values()].map((round) => round.stop()), ...this.ending]);
  }

  private async follow(): Promise<void> {
    const { store, onError } = this.parts;
    const { signal } = this.stopping;
    for (let after = 0n; !signal.aborted; ) {
      try {
        for await (const page of store.follow(after, { filter: { categories: [subscription.category] }, signal })) {
          for (const event of page) this.take(event as Recorded<SubscriptionEvent>);
          after = page.at(-1)!.position;
          // After a whole page: of a long history only what came of it is begun.
          for (const id of new Set(page.map(({ streamId }) => idOf(streamId)))) this.arrange(id);
        }
      } catch (error) {
        if (!signal.aborted) onError(error);
      }
      await sleep(PAUSE_MS, undefined, { signal }).catch(() => undefined);
    }
  }

  private take(event: Recorded<SubscriptionEvent>): void {
    const id = idOf(event.streamId);
    const state = subscription.evolve(this.live.get(id) ?? subscription.initial, event);
    if (state.status === 'live') this.live.set(id, state);
    else this.live.delete(id);
  }

  private arrange(id: string): void {
    const wanted = this.live.get(id);
    const round = this.rounds.get(id);
    if (wanted && round?.consumer === consumerOf(wanted)) return;
    const ended = round ? this.track(round.end()) : Promise.resolve();
    if (wanted) this.rounds.set(id, new DeliveryRound(this.parts, wanted, ended));
    else this.rounds.delete(id);
  }

  private track(ending: Promise<void>): Promise<void> {
    const settled = ending.catch(this.parts.onError).finally(() => this.ending.delete(settled));
    this.ending.add(settled);
    return settled;
  }
}
