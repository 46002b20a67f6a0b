import { context, trace, type Tracer } from '@opentelemetry/api';

export type TracingOptions = {
  /** Base address of a collector that takes OTLP over HTTP; spans go to its `/v1/traces`. */
  readonly endpoint: string;
  readonly serviceName?: string;
  /** Part of the traces begun here that are recorded, 0 to 1; a caller's own decision on its trace is kept. Default 1. */
  readonly sampleRatio?: number;
};

export type Tracing = { readonly tracer: Tracer; stop(): Promise<void> };

/** A collector that is away must not hold up the stop of a server. */
const STOP_MS = 3_000;
/** Spans of at most a second are lost when the process is killed. */
const EXPORT_EVERY_MS = 1_000;

/** Starts to record spans and to send them. The SDK is loaded here and not before: without traces it costs nothing. */
export const startTracing = async ({ endpoint, serviceName = 'agent-harness', sampleRatio = 1 }: TracingOptions): Promise<Tracing> => {
  const [sdk, { OTLPTraceExporter }, { AsyncLocalStorageContextManager }, { resourceFromAttributes }] = await Promise.all([
    import('@opentelemetry/sdk-trace'),
    import('@opentelemetry/exporter-trace-otlp-http'),
    import('@opentelemetry/context-async-hooks'),
    import('@opentelemetry/resources'),
  ]);
  const exporter = new OTLPTraceExporter({ url: `${endpoint.replace(/\/+$/, '')}/v1/traces`, timeoutMillis: STOP_MS });
  const provider = new sdk.TracerProvider({
    resource: resourceFromAttributes({ 'service.name': serviceName, 'process.pid': process.pid }),
    sampler: new sdk.ParentBasedSampler({ root: new sdk.TraceIdRatioBasedSampler(sampleRatio) }),
    spanProcessors: [new sdk.BatchSpanProcessor({ exporter, scheduledDelayMillis: EXPORT_EVERY_MS, maxQueueSize: 8_192, maxExportBatchSize: 512 })],
  });
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  trace.setGlobalTracerProvider(provider);
  return {
    tracer: provider.getTracer('agent-harness'),
    stop: async () => {
      const late = new Promise<void>((settle) => setTimeout(settle, STOP_MS).unref());
      await Promise.race([provider.shutdown().catch(() => undefined), late]);
      context.disable();
      trace.disable();
    },
  };
};
