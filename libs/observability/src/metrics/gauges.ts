import { latestCheckpoints } from '@app/event-store';
import type { ProjectionsControl } from '@app/projections';
import type { Pool } from 'pg';
import { MAX_VALUES, OTHER } from './bounded-labels';
import type { ClusterGauge } from './cluster-metrics';
import { COUNTING_VERSION } from './migrate';

/** Name of the consumer that passes events on to the outside; its lag is that of the relay. */
const RELAY = 'relay';

/** How far the read models are behind the log. */
export const projectionLag = (control: Pick<ProjectionsControl, 'status'>): readonly ClusterGauge[] => {
  // Both are read at the same moment: one question answers them.
  let asked: ReturnType<typeof control.status> | undefined;
  const status = () => (asked ??= control.status().finally(() => (asked = undefined)));
  return [{
    name: 'harness_projection_lag_events', help: 'Events of the log that a read model has not taken in.', labels: ['projection'],
    // A lag is a difference: it is small where positions are not.
    read: async () => (await status()).map(({ name, lagEvents }) => ({ values: [name], value: Number(lagEvents) })),
  }, {
    name: 'harness_projection_lag_seconds', help: 'Age of the oldest event that a read model has not taken in.', labels: ['projection'],
    read: async () => (await status()).map(({ name, lagMs }) => ({ values: [name], value: lagMs / 1_000 })),
  }];
};

/** Grows while nothing is signed: also when nothing happens. */
export const checkpointAge = (pool: Pool, now: () => Date = () => new Date()): ClusterGauge => ({
  name: 'harness_chain_checkpoint_age_seconds', help: 'Age of the last signed checkpoint of the hash chain.', labels: [],
  read: async () => (await latestCheckpoints(pool, 1)).map(({ signedAt }) => ({ values: [], value: Math.max(0, now().getTime() - Date.parse(signedAt)) / 1_000 })),
});

/** Nothing as long as no relay has ever run. */
export const relayLag = (pool: Pick<Pool, 'query'>, consumer = RELAY): ClusterGauge => ({
  name: 'harness_relay_lag_events', help: 'Events of the log that were not passed on to the message broker.', labels: [],
  read: async () => {
    const { rows } = await pool.query<{ lag: number }>(
      `SELECT greatest(0, coalesce((SELECT last_position FROM es_batch ORDER BY first_position DESC LIMIT 1), 0) - min(position))::float8 AS lag
       FROM es_consumer WHERE name = $1 AND slice >= 0 HAVING count(*) > 0`, [consumer],
    );
    return rows.map(({ lag }) => ({ values: [], value: lag }));
  },
});

/** Counted among what is open: an intent that was deleted has none. The hundred intents with the most are told apart. */
export const openDrifts = (pool: Pick<Pool, 'query'>): ClusterGauge => ({
  name: 'lumibase_intent_open_drifts', help: 'Drifts that are found and not resolved.', labels: ['intent'],
  read: async () => {
    const { rows } = await pool.query<{ intent: string; open: number }>(
      `WITH counted AS (
         SELECT owner, count(*) AS open, row_number() OVER (ORDER BY count(*) DESC, owner) AS place FROM metric_subject
         WHERE counting = $1 AND key >= 'intent-' AND key < 'intent.' GROUP BY owner)
       SELECT CASE WHEN place <= $2 THEN substr(owner, 8) ELSE $3 END AS intent, sum(open)::float8 AS open FROM counted GROUP BY 1 ORDER BY 1`,
      [COUNTING_VERSION, MAX_VALUES, OTHER],
    );
    return rows.map(({ intent, open }) => ({ values: [intent], value: open }));
  },
});

/** Jobs that wait for a worker. `depths` is asked at each scrape. */
export const queueDepth = (depths: () => Promise<readonly { readonly queue: string; readonly waiting: number }[]>): ClusterGauge => ({
  name: 'lumibase_queue_depth', help: 'Jobs that wait in a queue.', labels: ['queue'],
  read: async () => (await depths()).map(({ queue, waiting }) => ({ values: [queue], value: waiting })),
});
