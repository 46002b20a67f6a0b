import { monitorEventLoopDelay } from 'node:perf_hooks';
import { Counter, Gauge, Histogram, Registry } from 'prom-client';

type PoolCounts = { readonly totalCount: number; readonly idleCount: number };

const APPEND_SECONDS = [0.001, 0.002, 0.004, 0.008, 0.016, 0.032, 0.064, 0.128, 0.25, 0.5, 1, 2.5, 5, 10];
const BATCH_EVENTS = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1_024, 2_048];
/** How often the event loop's delay is measured; what is reported is what comes on top of it. */
const RESOLUTION_MS = 10;

/** What one process knows of itself. Another process has numbers of its own; a restart begins at zero, as Prometheus expects. */
export class ProcessMetrics {
  private readonly registry = new Registry();
  private readonly registers = [this.registry];
  private readonly delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  private readonly appendSeconds = new Histogram({
    name: 'harness_append_seconds', help: 'Time from an append to its answer, the wait for its turn included.', buckets: APPEND_SECONDS, registers: this.registers,
  });
  private readonly batchEvents = new Histogram({
    name: 'harness_append_batch_events', help: 'Events in one commit of the log.', buckets: BATCH_EVENTS, registers: this.registers,
  });
  private readonly retries = new Counter({
    name: 'harness_guard_retries_total', help: 'Decisions taken again because the governance of their site had moved.', registers: this.registers,
  });

  constructor(pool: PoolCounts) {
    this.gauge('lumibase_db_pool_active', 'Connections of the pool that are in use.', () => pool.totalCount - pool.idleCount);
    this.gauge('lumibase_db_pool_idle', 'Connections of the pool that wait for work.', () => pool.idleCount);
    this.gauge('process_resident_memory_bytes', 'Memory that this process holds.', () => process.memoryUsage.rss());
    this.gauge('process_start_time_seconds', 'When this process started, since 1970.', () => Math.round(performance.timeOrigin) / 1_000);
    new Counter({
      name: 'process_cpu_seconds_total', help: 'Processor time that this process used.', registers: this.registers,
      collect() {
        const { user, system } = process.cpuUsage();
        this.reset();
        this.inc((user + system) / 1e6);
      },
    });
    const { delay } = this;
    delay.enable();
    new Gauge({
      name: 'harness_event_loop_delay_seconds', help: 'How late the event loop was, since the scrape before.', labelNames: ['stat'], registers: this.registers,
      collect() {
        const stats = { mean: delay.mean, p50: delay.percentile(50), p99: delay.percentile(99), max: delay.max };
        for (const [stat, nanoseconds] of Object.entries(stats)) this.set({ stat }, secondsLate(nanoseconds));
        delay.reset();
      },
    });
  }

  /** For the event store. */
  readonly appends = {
    appended: (seconds: number): void => this.appendSeconds.observe(seconds),
    committed: (events: number): void => this.batchEvents.observe(events),
  };

  /** For the executor: a stream that a decision relied on had moved. */
  readonly guardMoved = (streamId: string): void => {
    if (streamId.startsWith('governance-')) this.retries.inc();
  };

  exposition = (): Promise<string> => this.registry.metrics();

  stop(): void {
    this.delay.disable();
  }

  private gauge(name: string, help: string, read: () => number) {
    new Gauge({
      name, help, registers: this.registers,
      collect() {
        this.set(read());
      },
    });
  }
}

/** Without a measurement since the last reset the mean is no number. */
const secondsLate = (nanoseconds: number) => (Number.isFinite(nanoseconds) ? Math.max(0, nanoseconds / 1e9 - RESOLUTION_MS / 1e3) : 0);
