import type { Handler, SubscribeOptions, Transaction } from '@app/event-store';
import type { Recorded } from '@app/kernel';
import { BoundedLabels, type LabelValue } from './bounded-labels';
import { count, COUNTED_TYPES, subjectKeysOf } from './counting';
import { COUNTING_VERSION } from './migrate';
import { Tally, type Subject } from './tally';

/** Name of the durable consumer that counts. */
export const AGENT_METRICS_CONSUMER = `agent-metrics-${COUNTING_VERSION}`;

/** Nobody looks at a metric within a quarter of a second, and the three statements of a batch cost the same for one event and for hundreds. */
const GATHER_MS = 250;

/**
 * Counts the log into tables, every event exactly once: the numbers and the checkpoint are one transaction. One process of all leads; they
 * survive restarts, and their sum over the processes is that of the log.
 */
export const agentMetricsConsumer = (): SubscribeOptions => ({ name: AGENT_METRICS_CONSUMER, filter: { types: COUNTED_TYPES }, handler: countInto, gatherMs: GATHER_MS });

const countInto: Handler = async (events, tx) => {
  const tally = new Tally(await subjectsOf(events, tx), new BoundedLabels(await knownLabels(tx)));
  for (const event of events) count(event, tally);
  await store(tally.result(), tx);
};

const subjectsOf = async (events: readonly Recorded[], tx: Transaction): Promise<ReadonlyMap<string, Subject>> => {
  const keys = [...new Set(events.flatMap(subjectKeysOf))];
  const { rows } = await tx.query<Subject>('SELECT key, name, since, owner FROM metric_subject WHERE counting = $1 AND key = ANY($2)', [COUNTING_VERSION, keys]);
  return new Map(rows.map((subject) => [subject.key, subject]));
};

const knownLabels = async (tx: Transaction): Promise<readonly LabelValue[]> =>
  (await tx.query<LabelValue>('SELECT label, value FROM metric_label WHERE counting = $1', [COUNTING_VERSION])).rows;

/** One statement: keys that were closed and opened again in one batch are only opened, so no row is touched twice. */
const store = async ({ increments, opened, closed, closedOwners, admitted }: ReturnType<Tally['result']>, tx: Transaction) => {
  await tx.query(
    `WITH labels AS (
       INSERT INTO metric_label SELECT $1, * FROM unnest($2::text[], $3::text[]) ON CONFLICT DO NOTHING),
     gone AS (
       DELETE FROM metric_subject WHERE counting = $1 AND (key = ANY($4) OR owner = ANY($5)) AND key <> ALL($6)),
     new AS (
       INSERT INTO metric_subject SELECT $1, * FROM unnest($6::text[], $7::text[], $8::text[], $9::text[])
       ON CONFLICT (counting, key) DO UPDATE SET name = excluded.name, since = excluded.since, owner = excluded.owner)
     INSERT INTO metric_series AS s SELECT $1, * FROM unnest($10::text[], $11::text[], $12::text[], $13::float8[])
     ON CONFLICT (counting, metric, label_values, part) DO UPDATE SET value = s.value + excluded.value`,
    [
      COUNTING_VERSION,
      admitted.map(({ label }) => label), admitted.map(({ value }) => value),
      closed, closedOwners,
      opened.map(({ key }) => key), opened.map(({ name }) => name), opened.map(({ since }) => since), opened.map(({ owner }) => owner),
      increments.map(({ metric }) => metric), increments.map(({ values }) => JSON.stringify(values)), increments.map(({ part }) => part), increments.map(({ by }) => by),
    ],
  );
};
