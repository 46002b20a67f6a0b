import type { Pool } from 'pg';
import { AGENT_METRICS } from './agent-metrics';
import type { ExportRight } from './export-right';
import { exposition } from './exposition';
import type { Family, Sample } from './family';
import { COUNTING_VERSION } from './migrate';

/** A state of the installation, read when it is asked for. No sample: nothing to tell, such as the lag of a relay that never ran. */
export type ClusterGauge = Pick<Family, 'name' | 'help' | 'labels'> & { readonly read: () => Promise<readonly Omit<Sample, 'part'>[]> };

export type ClusterMetricsOptions = { readonly pool: Pick<Pool, 'query'>; readonly right: ExportRight; readonly gauges: readonly ClusterGauge[] };

type Row = { readonly metric: string; readonly label_values: string; readonly part: string; readonly value: number };

/** The numbers of the whole installation: what was counted from the log, and its states. One process shows them. */
export class ClusterMetrics {
  constructor(private readonly options: ClusterMetricsOptions) {}

  /** Empty in a process that has not the right to show them. Rejects when the database cannot be reached. */
  async exposition(): Promise<string> {
    const { pool, right, gauges } = this.options;
    if (!(await right.held())) return '';
    const { rows } = await pool.query<Row>(
      'SELECT metric, label_values, part, value FROM metric_series WHERE counting = $1 ORDER BY metric, label_values', [COUNTING_VERSION],
    );
    const samples = Map.groupBy(rows, ({ metric }) => metric);
    const counted = Object.values<Family>(AGENT_METRICS).map((family) => exposition(family, (samples.get(family.name) ?? []).map(sampleOf)));
    return [...counted, ...(await Promise.all(gauges.map(shown)))].join('');
  }
}

const sampleOf = ({ label_values: values, part, value }: Row): Sample => ({ values: JSON.parse(values) as string[], part, value });

/** A state that cannot be read now takes none of the others with it. */
const shown = async ({ read, ...gauge }: ClusterGauge): Promise<string> =>
  exposition({ ...gauge, type: 'gauge' }, (await read().catch(() => [])).map((sample) => ({ ...sample, part: '' })));
