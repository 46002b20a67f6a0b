import { deliver, type Handler } from './delivery';
import type { LaneSettings } from './lane-settings';
import type { Lease } from './lease';
import { dueEvent, postpone, unpark } from './parked-events';

export type RetryPlace = { readonly lease: Lease; /** The checkpoint, which does not move. */ readonly at: bigint; readonly signal: AbortSignal; readonly goesOn: () => boolean };

/**
 * Tries the parked events of a slice whose time has come, in the order of the log, under the fence of its lease. One that fails again waits
 * longer and holds up none. Never rejects: where the database is away, the next renewal of the lease looks again.
 */
export const retryParked = async ({ db, handler, leases, eventAt }: LaneSettings, { lease, at, signal, goesOn }: RetryPlace): Promise<void> => {
  try {
    for (let position = await dueEvent(db, lease); position !== undefined && goesOn(); position = await dueEvent(db, lease)) {
      const parked = position;
      const event = await eventAt(parked);
      if (!event) return;
      const again: Handler = async (events, tx, delivery) => {
        await handler(events, tx, delivery);
        await unpark(tx, lease, parked);
      };
      const outcome = await deliver(db, again, lease, { events: [event], from: at, to: at }, signal, leases.ttlMs);
      if (outcome.kind === 'failed') await postpone(db, lease, parked, outcome.error);
      else if (outcome.kind !== 'done') return;
    }
  } catch {
    // Nothing is lost: what was due stays due.
  }
};
