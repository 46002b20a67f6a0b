import type { PoolClient } from 'pg';
import { leafOf, canonicalEvent } from './canonical-event';
import { fault, type ChainFault } from './chain-verdict';
import { bytesOf, type Digest } from './sha256';
import { storedEvents } from './stored-events';

/**
 * Looks once more at where a walk ended, to tell what was done there. The place is the walk's; this only finds the better word, and for
 * events that were moved by one the event before them.
 */
export const explain = async (client: PoolClient, found: ChainFault, chainBefore: Digest): Promise<ChainFault> => {
  switch (found.reason) {
    case 'broken_chain':
      return (await isElsewhere(client, found.position, chainBefore))
        ? fault(found.position, 'reordered_batch', `The batch from ${found.position} stands at another place than where it was committed.`)
        : found;
    case 'missing_event': {
      const [event] = await storedEvents(client, [found.position]);
      return event ? fault(found.position, 'broken_chain', `The event at ${found.position} belongs to no batch of the chain: its batch is gone.`) : found;
    }
    case 'changed_event':
      return (await moved(client, found.position)) ?? found;
    default:
      return found;
  }
};

/** The batch that should follow is at another place, or the one that this batch follows is not the one before it. */
const isElsewhere = async (client: PoolClient, first: bigint, chainBefore: Digest): Promise<boolean> => {
  const { rows } = await client.query<{ elsewhere: boolean }>(
    `SELECT EXISTS (SELECT FROM es_batch o WHERE o.first_position <> b.first_position AND (o.previous = $2 OR o.chain = b.previous)) AS elsewhere
     FROM es_batch b WHERE b.first_position = $1 AND b.previous <> $2`,
    [String(first), bytesOf(chainBefore)],
  );
  return rows[0]?.elsewhere ?? false;
};

/** Events behind an inserted or a removed one were renumbered: their leaves still speak of the position they had. */
const moved = async (client: PoolClient, position: bigint): Promise<ChainFault | null> => {
  const [event, next] = await storedEvents(client, [position, position + 1n]);
  if (!event) return null;
  const had = (at: bigint, stored = event) => leafOf(canonicalEvent({ ...stored, position: at })).equals(stored.leaf);
  const insertedAt = had(position - 1n) ? position - 1n : next && had(position, next) ? position : null;
  if (insertedAt !== null) return fault(insertedAt, 'inserted_event', `An event was put in at ${insertedAt}: the one behind it had that position.`);
  if (had(position + 1n) && (!next || had(position + 2n, next))) {
    return fault(position, 'missing_event', `The event that had position ${position} was taken out: the one behind it was moved to its place.`);
  }
  return null;
};
