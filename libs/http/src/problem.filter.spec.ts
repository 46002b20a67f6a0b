import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Controller, ForbiddenException, Get, Param, Post, type LoggerService } from '@nestjs/common';
import { StoreUnavailable } from '@app/event-store';
import { PROBLEM_CODES, reject, type ProblemCode, type RejectionKind } from '@app/kernel';
import { ReadModelBehind } from '@app/projections';
import { createConnection } from 'node:net';
import { text } from 'node:stream/consumers';
import { Public } from './access';
import { Caller } from './caller';
import { orProblem } from './respond';
import { KnownKeys, principalOf, startHttp, type RunningHttp } from './testing';

const PROBLEM_JSON = 'application/problem+json; charset=utf-8';
const lines: string[] = [];
const logger: LoggerService = { log: () => {}, warn: () => {}, error: (line: string) => void lines.push(line) };

const thrown: Record<string, () => unknown> = {
  behind: () => new ReadModelBehind('inbox', 9n, 7n),
  surprise: () => new Error('password=hunter2\nFAKE LINE\u2028\u001b[31mred\u0085'),
  'no-log': () => new StoreUnavailable('The log at 10.0.0.7 does not answer.'),
  refused: () => Object.assign(new Error('connect ECONNREFUSED 10.0.0.7'), { code: 'ECONNREFUSED' }),
  'no-socket': () => Object.assign(new Error('connect ENOENT /run/pg'), { code: 'ENOENT', syscall: 'connect' }),
  'no-file': () => Object.assign(new Error('open ENOENT /etc/secret'), { code: 'ENOENT', syscall: 'open' }),
  shutdown: () => Object.assign(new Error('terminating connection'), { code: '57P01' }),
  lost: () => new Error('Connection terminated unexpectedly'),
  text: () => 'just text',
  nest: () => new ForbiddenException('with words of its own'),
};

@Public()
@Controller('probe')
class Probe {
  @Get('reject/:kind/:code') reject(@Param('kind') kind: RejectionKind, @Param('code') code: ProblemCode) {
    return orProblem(reject(kind, code, 'A sentence that helps.', { by: 'Ada' }));
  }
  @Get('retry') retry() { return orProblem(reject('unavailable', 'OVERLOADED', 'Too much at once.', { retryAfterMs: 2_300 })); }
  @Get('throw/:name') throw(@Param('name') name: string) { throw thrown[name]!(); }
  @Get('ok') ok() { return orProblem({ ok: true, data: { total: 2n ** 70n, nested: [{ at: 5n }] }, position: 12n }); }
  @Get('caller') caller(@Caller() caller: Caller) { return caller.siteId; }
  @Post('echo') echo() { return { data: null, position: '0' }; }
}

describe('Answers', () => {
  let http: RunningHttp;
  const get = async (path: string, init?: RequestInit) => {
    const answer = await http.request(path, init);
    return { status: answer.status, headers: answer.headers, body: (await answer.json()) as Record<string, unknown> };
  };

  beforeAll(async () => {
    http = await startHttp({ controllers: [Probe] }, { authenticator: new KnownKeys({ hk_ada: principalOf() }), logger, bodyLimit: 1_000 });
  });
  afterAll(() => http.close());
  afterEach(() => void lines.splice(0));

  it('[API-002] carry data and the position as text, bigint included', async () => {
    const { status, body, headers } = await get('/api/v1/probe/ok');
    expect([status, headers.get('content-type'), body]).toEqual([
      200, 'application/json; charset=utf-8', { data: { total: '1180591620717411303424', nested: [{ at: '5' }] }, position: '12' },
    ]);
  });

  it.each<[RejectionKind, ProblemCode, number]>([
    ['missing', 'FORBIDDEN', 403], ['forbidden', 'FORBIDDEN', 403], ['gone', 'GONE', 410], ['conflict', 'CONFLICT', 409],
    ['conflict', 'PINNED_BY_HUMAN', 409], ['conflict', 'FLAG_OFF', 409], ['invalid', 'VALIDATION_FAILED', 422], ['frozen', 'FROZEN', 423],
    ['unavailable', 'UNAVAILABLE', 503], ['unavailable', 'LLM_NOT_CONFIGURED', 503], ['unavailable', 'LLM_PROVIDER_ERROR', 502],
    ['unavailable', 'LLM_INVALID_JSON', 502], ['invalid', 'ASYNC_UNAVAILABLE', 400], ['unavailable', 'ENQUEUE_FAILED', 503],
  ])('[API-005] turn a rejection (%s, %s) into problem details with status %i', async (kind, code, status) => {
    const answer = await get(`/api/v1/probe/reject/${kind}/${code}`);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([status, PROBLEM_JSON]);
    expect(answer.body).toEqual({
      type: `/problems/${code.toLowerCase().replaceAll('_', '-')}`, title: expect.any(String), status, code, detail: 'A sentence that helps.', facts: { by: 'Ada' },
    });
    expect(answer.headers.has('retry-after')).toBe(kind === 'unavailable');
  });

  it('say when to come back', async () => {
    expect((await get('/api/v1/probe/retry')).headers.get('retry-after')).toBe('3');
  });

  it('tell how far a late read model has come', async () => {
    const { status, headers, body } = await get('/api/v1/probe/throw/behind');
    expect([status, headers.get('retry-after'), body]).toMatchObject([503, '1', { code: 'UNAVAILABLE', facts: { position: '7' } }]);
    expect(lines).toEqual([]);
  });

  it.each(['no-log', 'refused', 'no-socket', 'shutdown', 'lost'])('call a database out of reach unavailable for now: %s', async (name) => {
    const { status, headers, body } = await get(`/api/v1/probe/throw/${name}`);
    expect([status, headers.get('retry-after'), body]).toMatchObject([503, '1', { code: 'UNAVAILABLE' }]);
    expect(JSON.stringify(body)).not.toContain('10.0.0.7');
  });

  it.each(['surprise', 'no-file', 'text'])('tell nothing about a failure nobody expected: %s', async (name) => {
    const { status, body, headers } = await get(`/api/v1/probe/throw/${name}`);
    expect([status, headers.has('retry-after')]).toEqual([503, false]);
    expect(body).toEqual({ type: '/problems/unavailable', title: 'Unavailable', status: 503, code: 'UNAVAILABLE', detail: 'The request failed; the reason is in the log.' });
    expect(lines).toHaveLength(1);
  });

  it('keep to the stable codes for the failures of the framework', async () => {
    expect(await get('/api/v1/probe/throw/nest')).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } });
    expect(await get('/api/v1/probe/echo', { method: 'POST', headers: { 'content-type': 'application/xml' }, body: '<a/>' }))
      .toMatchObject({ status: 415, body: { code: 'VALIDATION_FAILED' } });
    expect(await get('/api/v1/probe/%ff')).toMatchObject({ status: 400, body: { code: 'VALIDATION_FAILED' } });
    for (const { body } of [await get('/nowhere'), await get('/api/v1/probe/caller')]) expect(PROBLEM_CODES).toContain(body['code']);
  });

  it('[API-008] name a route that does not exist', async () => {
    for (const [path, method] of [['/', 'GET'], ['/api/v1/nowhere', 'GET'], ['/probe/ok', 'GET'], ['/api/v1/probe/ok', 'DELETE']] as const) {
      const { status, headers, body } = await get(path, { method });
      expect([status, headers.get('content-type'), body]).toMatchObject([404, PROBLEM_JSON, { code: 'NOT_FOUND' }]);
    }
  });

  it('carry headers that keep browsers from guessing, framing and telling', async () => {
    for (const path of ['/api/v1/probe/ok', '/nowhere', '/api/v1/probe/throw/surprise']) {
      expect(Object.fromEntries((await get(path)).headers)).toMatchObject({
        'x-content-type-options': 'nosniff', 'x-frame-options': 'DENY', 'referrer-policy': 'no-referrer', 'cache-control': 'no-store',
        'content-security-policy': "default-src 'none'; frame-ancestors 'none'", 'x-request-id': expect.stringMatching(/^[0-9a-f-]{36}$/),
      });
    }
    const foreign = await get('/api/v1/probe/ok', { headers: { origin: 'https://elsewhere.example' } });
    expect([...foreign.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
  });

  describe('[SEC-016] line breaks', () => {
    const raw = async (bytes: string) => {
      const socket = createConnection(Number(new URL(http.url).port), '127.0.0.1');
      socket.end(bytes);
      return text(socket);
    };

    it.each([
      ['a bare carriage return', 'X-Correlation-Id: a\rX-Evil: 1'],
      ['a bare line feed in front of a header', 'X-Correlation-Id: a\n X-Evil: 1'],
      ['a NUL', 'X-Correlation-Id: a\0b'],
      ['an escape sequence', 'X-Correlation-Id: a\u001b[31m'],
      ['a next-line control', 'X-Request-Id: a\u0085X-Evil: 1'],
    ])('in a header create no header: %s', async (_name, header) => {
      const answer = await raw(`GET /api/v1/probe/throw/surprise HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${header}\r\n\r\n`);
      expect(answer).toMatch(/^HTTP\/1\.1 (400|503) /);
      expect(answer).toContain('application/problem+json');
      expect(answer.toLowerCase()).not.toContain('x-evil');
      for (const line of lines) expect(line).toMatch(/^[^\p{Cc}\u2028\u2029]*$/u);
    });

    it('in a path, an id or an error message create no log line', async () => {
      await get('/api/v1/probe/throw/surprise?x=%0d%0aSet-Cookie:%20a=1', { headers: { 'x-correlation-id': 'order 17' } });
      expect(lines).toHaveLength(1);
      expect(lines[0]).toMatch(/^[^\p{Cc}\u2028\u2029]*$/u);
      expect(JSON.parse(lines[0]!)).toMatchObject({ correlationId: 'order 17', method: 'GET', error: expect.stringContaining('\nFAKE LINE\u2028') });
    });

    it('never reach an answer header through an id that is sent back', async () => {
      const { headers } = await get('/api/v1/probe/ok', { headers: { 'x-correlation-id': 'fine-1', 'x-request-id': 'req 1' } });
      expect([headers.get('x-correlation-id'), headers.get('x-request-id')]).toEqual(['fine-1', 'req 1']);
      const odd = await get('/api/v1/probe/ok', { headers: { 'x-correlation-id': 'caf\u00e9', 'x-request-id': 'a\tb' } });
      expect([odd.headers.get('x-correlation-id'), odd.headers.get('x-request-id')]).toEqual([odd.headers.get('x-request-id'), expect.stringMatching(/^[0-9a-f-]{36}$/)]);
    });
  });

  it('refuse bytes that are no HTTP with a problem and close', async () => {
    const socket = createConnection(Number(new URL(http.url).port), '127.0.0.1');
    socket.write('NOT HTTP AT ALL\r\n\r\n');
    const answer = await text(socket);
    expect(answer).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
    expect(JSON.parse(answer.slice(answer.indexOf('\r\n\r\n')))).toMatchObject({ status: 400, code: 'VALIDATION_FAILED' });
  });
});
