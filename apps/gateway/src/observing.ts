import { Logger, type INestApplicationContext } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { Bus } from '@app/cqrs';
import { Leases } from '@app/event-store';
import {
  checkpointAge, ClusterMetrics, ExportRight, listenForMetrics, logAccess, MetricsEndpoint, MetricsModule, openDrifts, projectionLag, queueDepth, relayLag, traceHttp, type JsonLog, type MetricsAccess,
} from '@app/observability';
import type { Closers } from './closers';
import type { Config } from './config';
import type { Resources } from './resources';
import { StartRefused } from './start-refused';

/** What `/metrics` of this process shows. */
export const metricsOf = ({ pool, control, queue, metrics }: Resources, closers: Closers): MetricsEndpoint => {
  const right = new ExportRight(new Leases(pool));
  // A right that cannot be given back for want of a database runs out by itself.
  closers.push(() => right.stop().catch(() => undefined));
  const gauges = [...projectionLag(control), checkpointAge(pool), openDrifts(pool), relayLag(pool), ...(queue ? [queueDepth(() => queue.depths())] : [])];
  return new MetricsEndpoint(metrics, new ClusterMetrics({ pool, right, gauges }));
};

const accessOf = ({ host, metricsToken }: Config): MetricsAccess => ({ host, token: metricsToken });

/** The port that only scrapers use, when one is set; for a process without the API it is the only one. */
export const openMetricsPort = async (config: Config, endpoint: MetricsEndpoint, closers: Closers): Promise<void> => {
  if (config.metricsPort === undefined) return;
  const listener = await listenForMetrics(config.metricsPort, endpoint, accessOf(config)).catch((error: NodeJS.ErrnoException) => {
    throw new StartRefused(`The metrics cannot be served on port ${config.metricsPort} of ${config.host}: ${error.message}. Choose another HARNESS_METRICS_PORT.`, { cause: error });
  });
  closers.push(listener.stop);
  new Logger('Metrics').log(`Metrics at http://${config.host.includes(':') ? `[${config.host}]` : config.host}:${listener.port}/metrics`);
};

/** `GET /metrics` beside the API. */
export const metricsModule = (config: Config, endpoint: MetricsEndpoint) => MetricsModule.register({ endpoint, access: accessOf(config) });

/** Access lines and traces of the API. To be called before its own hooks are installed, so that a span covers them. */
export const observeHttp = (app: NestFastifyApplication, { traces }: Resources, lines: JsonLog | undefined): void => {
  const server = app.getHttpAdapter().getInstance();
  if (traces) traceHttp(server, traces.tracer);
  if (lines) logAccess(server, lines);
};

/** Traces of commands and queries, whatever sends them. */
export const observeBus = (app: INestApplicationContext, { spans }: Resources): void => {
  if (spans) app.get(Bus).surround(spans.message);
};
