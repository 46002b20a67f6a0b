import { context, trace, type Context, type Span, type Tracer } from '@opentelemetry/api';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { failed, remoteParent, SpanKind, traceparentOf } from './tracing';

type Traced = { readonly span: Span; readonly inside: Context };

/** Probes come every few seconds and tell nothing. */
const UNTRACED = /^\/(health\/|metrics$)/;

/**
 * One span per request, the child of the caller's own if it sent a `traceparent`. The span takes the header's place, so that whatever the
 * request writes to the log names it. No address, query or body is recorded, only the route.
 */
export const traceHttp = (server: FastifyInstance, tracer: Tracer): void => {
  const requests = new WeakMap<FastifyRequest, Traced>();
  server.addHook('onRequest', (request, _reply, done) => {
    if (UNTRACED.test(request.url.split('?', 1)[0]!)) return done();
    const { traceparent } = request.headers;
    const parent = remoteParent(typeof traceparent === 'string' ? traceparent : undefined);
    const attributes = { 'http.request.method': request.method, 'url.scheme': request.protocol, 'harness.request.id': request.id };
    const span = tracer.startSpan(request.method, { kind: SpanKind.SERVER, attributes }, parent);
    const inside = trace.setSpan(parent, span);
    requests.set(request, { span, inside });
    request.headers['traceparent'] = traceparentOf(span);
    context.with(inside, done);
  });
  // Reading a body goes on in the context of its socket.
  server.addHook('preValidation', (request, _reply, done) => {
    const traced = requests.get(request);
    if (traced) context.with(traced.inside, done);
    else done();
  });
  server.addHook('onResponse', (request, { statusCode }, done) => {
    const span = requests.get(request)?.span;
    const route = request.routeOptions.url;
    if (route !== undefined) span?.updateName(`${request.method} ${route}`).setAttribute('http.route', route);
    span?.setAttribute('http.response.status_code', statusCode);
    if (span && statusCode >= 500) failed(span, String(statusCode));
    span?.end();
    done();
  });
};
