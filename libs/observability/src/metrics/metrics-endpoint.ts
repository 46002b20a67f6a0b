import type { IncomingHttpHeaders } from 'node:http';
import type { ClusterMetrics } from './cluster-metrics';
import { mayRead, type MetricsAccess } from './metrics-access';
import type { ProcessMetrics } from './process-metrics';

/** A scraper waits ten seconds by default; the numbers of this process must not be lost because the database does not answer. */
const CLUSTER_MS = 3_000;

/** What `GET /metrics` answers, whatever server carries it. */
export class MetricsEndpoint {
  constructor(
    private readonly own: ProcessMetrics,
    private readonly cluster: Pick<ClusterMetrics, 'exposition'>,
  ) {}

  /** The metrics of this process, and those of the installation if it is the one that shows them; null for somebody who may not read them. */
  async read(headers: IncomingHttpHeaders, access: MetricsAccess): Promise<string | null> {
    if (!(await mayRead(access, headers))) return null;
    const [own, cluster] = await Promise.all([this.own.exposition(), this.ofCluster()]);
    return own + cluster;
  }

  private ofCluster(): Promise<string> {
    const late = new Promise<string>((settle) => setTimeout(settle, CLUSTER_MS, '').unref());
    return Promise.race([this.cluster.exposition().catch(() => ''), late]);
  }
}
