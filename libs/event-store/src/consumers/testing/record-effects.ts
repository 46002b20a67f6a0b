import type { Handler } from '../delivery';

/** Records each event in the handler's transaction, and who handled it. */
export const recordEffects =
  (consumer: string, by = ''): Handler =>
  async (events, tx) => {
    await tx.query(
      'INSERT INTO effect (consumer, position, stream_id, by) SELECT $1, p, s, $4 FROM unnest($2::bigint[], $3::text[]) AS e(p, s)',
      [consumer, events.map(({ position }) => String(position)), events.map(({ streamId }) => streamId), by],
    );
  };
