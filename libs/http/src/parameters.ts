import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { ProblemException } from './problem';
import { positionParam } from './query-params';

type Readable = Pick<FastifyRequest, 'headers' | 'query'>;

const requestOf = (host: ExecutionContext) => host.switchToHttp().getRequest<FastifyRequest>();

const positionOf = (name: string, value: unknown): bigint | undefined => {
  if (value === undefined) return undefined;
  const parsed = positionParam.safeParse(value);
  if (parsed.success) return parsed.data;
  throw ProblemException.invalid([{ pointer: `/${name}`, detail: 'A log position: digits only' }]);
};

/** The position a read must have reached: from the query or from `X-Min-Position`, the later one when both are given. */
export const minPositionOf = ({ headers, query }: Readable): bigint | undefined => {
  const inQuery = positionOf('minPosition', (query as { minPosition?: unknown } | undefined)?.minPosition);
  const inHeader = positionOf('X-Min-Position', headers['x-min-position']);
  if (inQuery === undefined || inHeader === undefined) return inQuery ?? inHeader;
  return inQuery > inHeader ? inQuery : inHeader;
};

/** Where an event stream goes on: after the position in `Last-Event-ID`. */
export const lastEventIdOf = ({ headers }: Pick<Readable, 'headers'>): bigint | undefined =>
  positionOf('Last-Event-ID', headers['last-event-id']);

/** A stream version as an entity tag. */
export const etagOf = (version: number): string => `"${version}"`;

/** The stream version that `If-Match` names; undefined without the header or with `*`. A weak or foreign tag is 422, never ignored. */
export const ifMatchOf = ({ headers }: Pick<Readable, 'headers'>): number | undefined => {
  const tag = headers['if-match'];
  if (tag === undefined || tag === '*') return undefined;
  const version = /^"(0|[1-9]\d{0,14})"$/.exec(tag)?.[1];
  if (version !== undefined) return Number(version);
  throw ProblemException.invalid([{ pointer: '/If-Match', detail: 'One strong entity tag as sent in ETag, for example "7"' }]);
};

/** `bigint | undefined`: see `minPositionOf`. */
export const MinPosition = createParamDecorator((_: unknown, host: ExecutionContext) => minPositionOf(requestOf(host)));

/** `bigint | undefined`: see `lastEventIdOf`. */
export const LastEventId = createParamDecorator((_: unknown, host: ExecutionContext) => lastEventIdOf(requestOf(host)));

/** `number | undefined`: see `ifMatchOf`. */
export const IfMatch = createParamDecorator((_: unknown, host: ExecutionContext) => ifMatchOf(requestOf(host)));
