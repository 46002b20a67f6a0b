import type { IncomingHttpHeaders } from 'node:http';
import type { ClusterMetrics } from './cluster-metrics';
import { EXPOSITION_TYPE } from './exposition';
import { mayRead, type MetricsAccess } from './metrics-access';
import type { ProcessMetrics } from './process-metrics';

export type MetricsAnswer = { readonly status: number; readonly headers: Readonly<Record<string, string>>; readonly body: string };

/** A scraper waits ten seconds by default; the numbers of this process must not be lost because the database does not answer. */
const CLUSTER_MS = 3_000;

/** What `GET /metrics` answers, whatever server carries it. */
export class MetricsEndpoint {
  constructor(
    private readonly own: ProcessMetrics,
    private readonly cluster: Pick<ClusterMetrics, 'exposition'>,
  ) {}

  async answer(headers: IncomingHttpHeaders, access: MetricsAccess): Promise<MetricsAnswer> {
    if (!(await mayRead(access, headers))) return UNAUTHENTICATED;
    const [own, cluster] = await Promise.all([this.own.exposition(), this.ofCluster()]);
    return { status: 200, headers: { 'content-type': EXPOSITION_TYPE, 'cache-control': 'no-store' }, body: own + cluster };
  }

  private ofCluster(): Promise<string> {
    const late = new Promise<string>((settle) => setTimeout(settle, CLUSTER_MS, '').unref());
    return Promise.race([this.cluster.exposition().catch(() => ''), late]);
  }
}

const UNAUTHENTICATED: MetricsAnswer = {
  status: 401,
  headers: { 'content-type': 'text/plain; charset=utf-8', 'www-authenticate': 'Bearer' },
  body: 'Metrics need the token of HARNESS_METRICS_TOKEN or the key of a platform admin, unless the server listens on loopback only.\n',
};
