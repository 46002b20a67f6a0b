import { context, SpanKind, SpanStatusCode, trace, TraceFlags, type Attributes, type Context, type Span, type SpanOptions, type Tracer } from '@opentelemetry/api';

/** W3C trace context, version 00. */
const TRACEPARENT = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/;

/** The context of a span that is only known by what another process, or the log, says of it. */
export const remoteParent = (traceparent: string | undefined, base: Context = context.active()): Context => {
  const [, traceId, spanId, flags] = TRACEPARENT.exec(traceparent ?? '') ?? [];
  if (traceId === undefined || spanId === undefined) return base;
  return trace.setSpanContext(base, { traceId, spanId, traceFlags: parseInt(flags!, 16) & TraceFlags.SAMPLED, isRemote: true });
};

export const traceparentOf = (span: Span): string => {
  const { traceId, spanId, traceFlags } = span.spanContext();
  return `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`;
};

/** Runs work inside a span, which ends with it. What was thrown is named by its class alone: its words may hold what a tool was given. */
export const inSpan = <T>(tracer: Tracer, name: string, options: SpanOptions, work: (span: Span) => Promise<T>, parent: Context = context.active()): Promise<T> => {
  const span = tracer.startSpan(name, options, parent);
  return context.with(trace.setSpan(parent, span), async () => {
    try {
      return await work(span);
    } catch (error) {
      failed(span, error instanceof Error ? error.name : typeof error);
      throw error;
    } finally {
      span.end();
    }
  });
};

export const failed = (span: Span, errorType: string): void => {
  span.setStatus({ code: SpanStatusCode.ERROR });
  span.setAttribute('error.type', errorType);
};

export { SpanKind, type Attributes };
