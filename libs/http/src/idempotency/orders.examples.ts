import { Body, Controller, Get, HttpCode, Module, Post, Res, UseGuards, type CanActivate } from '@nestjs/common';
import type { Outcome } from '@app/kernel';
import type { FastifyReply } from 'fastify';
import { EventEmitter, once } from 'node:events';
import { Pool } from 'pg';
import { z } from 'zod';
import type { TestDatabase } from '../../../../test/database';
import { RequireCapability } from '../access';
import { Caller } from '../caller';
import { etagOf } from '../parameters';
import { ProblemException } from '../problem';
import { orProblem } from '../respond';
import { KnownKeys, principalOf, startHttp, type RunningHttp } from '../testing';
import { PostgresIdempotency } from './postgres-idempotency';

const Order = z.strictObject({ item: z.string(), count: z.number().default(1), note: z.string().optional() });

/** What the handlers do to the world, and how a test directs them. */
export const gates = new EventEmitter();
export const commands: { id: string; repeatable: boolean | undefined }[] = [];
export const outcomes: (() => Outcome<unknown>)[] = [];
export const limiter = { closed: false };

export const forgetAll = () => {
  commands.length = 0;
  outcomes.length = 0;
  limiter.closed = false;
};

const executed = (caller: Caller) => {
  const { commandId, repeatable } = caller.context();
  return commands.push({ id: commandId, repeatable });
};

class RateLimit implements CanActivate {
  canActivate(): true {
    if (limiter.closed) throw new ProblemException(429, 'RATE_LIMITED', 'Slower, please.', { retryAfter: 1, kept: false });
    return true;
  }
}

@Controller('orders')
@UseGuards(RateLimit)
class Orders {
  @Post() create(@Body({ schema: Order }) order: z.infer<typeof Order>, @Caller() caller: Caller, @Res({ passthrough: true }) reply: FastifyReply) {
    const number = executed(caller);
    reply.header('etag', etagOf(number)).header('location', `/orders/${number}`);
    return orProblem({ ok: true, data: { number, ...order }, position: BigInt(number) });
  }
  @Post('scripted') @HttpCode(200) scripted(@Caller() caller: Caller) {
    executed(caller);
    return orProblem(outcomes.shift()!());
  }
  @Post('slow') @HttpCode(202) async slow(@Caller() caller: Caller) {
    const number = executed(caller);
    const go = once(gates, 'go');
    gates.emit('executing');
    await go;
    return { data: { number }, position: '1' };
  }
  @Post('nothing') @HttpCode(204) nothing(@Caller() caller: Caller) { executed(caller); }
  @Post('by-hand') byHand(@Caller() caller: Caller, @Res() reply: FastifyReply) {
    executed(caller);
    reply.hijack();
    reply.raw.end('by hand');
  }
  @RequireCapability('orders:cancel') @Post('cancel') cancel(@Caller() caller: Caller) { executed(caller); }
  @Get() list(@Caller() caller: Caller) { return { data: executed(caller), position: '0' }; }
}

@Module({ controllers: [Orders] })
export class OrdersModule {}

export const keys = new KnownKeys({
  hk_ada: principalOf({ sites: ['site_a', 'site_b'] }), hk_bob: principalOf({ id: 'key_bob' }), hk_chief: principalOf({ roles: ['admin'] }),
});

export type OrderServer = RunningHttp & { readonly pool: Pool };

/** One gateway process in miniature: a server and its own connections. */
export const startOrders = async ({ host, port, user, database }: TestDatabase, leaseMs: number, controllers: readonly (new (...args: never[]) => object)[] = []) => {
  const pool = new Pool({ host, port, user, database });
  pool.on('error', () => undefined);
  const idempotency = new PostgresIdempotency(pool, { leaseMs });
  const http = await startHttp({ imports: [OrdersModule], controllers: [...controllers] }, { authenticator: keys, idempotency });
  const close = async () => {
    await http.close();
    if (!pool.ending) await pool.end();
  };
  return { ...http, pool, close };
};

type Sent = { readonly path?: string; readonly body?: unknown; readonly headers?: Record<string, string>; readonly signal?: AbortSignal };

/** Posts to `/orders` with a key; the answer in a form that compares. */
export const post = async (server: RunningHttp, key: string, { path = '', body = { item: 'tea' }, headers = {}, signal }: Sent = {}) => {
  const answer = await server.request(`/api/v1/orders${path}`, {
    method: 'POST', ...(signal && { signal }), body: typeof body === 'string' ? body : JSON.stringify(body),
    headers: { authorization: 'Bearer hk_ada', 'content-type': 'application/json', 'idempotency-key': key, ...headers },
  });
  const text = await answer.text();
  const { etag, location, 'retry-after': retryAfter, 'content-type': type } = Object.fromEntries(answer.headers);
  return { status: answer.status, text, kept: { etag, location, retryAfter, type }, replayed: answer.headers.get('idempotent-replayed') };
};

let made = 0;
export const freshKey = () => `key ${++made}`;
