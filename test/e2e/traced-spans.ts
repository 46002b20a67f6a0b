import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import type { Body } from './server';

export type SentSpan = {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  /** 1 internal, 2 server. */
  readonly kind: number;
  readonly status: { readonly code?: number; readonly message?: string };
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly service: string;
};

/** An attribute as OTLP's JSON holds it. */
const valueOf = ({ stringValue, intValue, doubleValue, boolValue, arrayValue }: Body): unknown =>
  stringValue ?? (intValue === undefined ? undefined : Number(intValue)) ?? doubleValue ?? boolValue ?? arrayValue?.values.map(valueOf);
const attributesOf = (attributes: Body[] = []) => Object.fromEntries(attributes.map(({ key, value }) => [key as string, valueOf(value)]));

/** A collector that speaks OTLP over HTTP, and keeps what it was sent. */
export const collector = async () => {
  const spans: SentSpan[] = [];
  const bodies: string[] = [];
  const paths = new Set<string>();
  const server = createServer((request, response) => {
    paths.add(`${request.method} ${request.url}`);
    void json(request).then((sent: Body) => {
      bodies.push(JSON.stringify(sent));
      for (const { resource, scopeSpans } of sent.resourceSpans as Body[]) {
        const service = attributesOf(resource.attributes)['service.name'] as string;
        for (const span of scopeSpans.flatMap((scope: Body) => scope.spans as Body[]) as Body[]) spans.push({ ...span, service, attributes: attributesOf(span.attributes) });
      }
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans, bodies, paths,
    close: async () => {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
};
