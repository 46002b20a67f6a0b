import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Body, Controller, Get, Post } from '@nestjs/common';
import { AcceptRunToken, Public, RequireCapability, RequireRole } from './access';
import { Caller } from './caller';
import { KnownKeys, principalOf, startHttp, type RunningHttp } from './testing';

const reached: string[] = [];

@Controller('probe')
class Probe {
  @Get('me') me(@Caller() caller: Caller) {
    reached.push('me');
    return { data: { id: caller.principal.id, siteId: caller.siteId, context: caller.context(), named: caller.context('second').commandId }, position: '0' };
  }
  @Post('site') site(@Caller() caller: Caller, @Body() body: { siteId: string }) {
    reached.push('site');
    return { data: { used: caller.siteId, named: body.siteId }, position: '0' };
  }
  @Public() @Get('open') open() { return { data: 'open', position: '0' }; }
  @Public() @Get('open/me') openMe(@Caller() caller: Caller) { return { data: caller.siteId, position: '0' }; }
  @RequireCapability('runs:cancel', 'runs:write') @Get('needs') needs() { reached.push('needs'); return { data: 1, position: '0' }; }
  @AcceptRunToken() @Get('runs/:runId') run() { reached.push('run'); return { data: 1, position: '0' }; }
  @Get('runs/:runId/more') more() { reached.push('more'); return { data: 1, position: '0' }; }
  @AcceptRunToken() @Get('no-run') noRun() { reached.push('no-run'); return { data: 1, position: '0' }; }
  @RequireRole('admin') @Get('admin') admin() { reached.push('admin'); return { data: 1, position: '0' }; }
}

@Controller('ai')
class Ai {
  @Post('chat') chat() { reached.push('chat'); return { data: 'hello', position: '0' }; }
}

const NOON = new Date('2026-11-30T12:00:00.000Z');

const keys = new KnownKeys({
  hk_ada: principalOf({ sites: ['site_a', 'site_b'] }),
  hk_bot: principalOf({ id: 'key_bot', kind: 'agent', agentRole: 'writer', capabilities: ['runs:cancel'] }),
  hk_all: principalOf({ capabilities: ['*'] }),
  hk_admin: principalOf({ roles: ['admin'] }),
  hk_token: principalOf({ capabilities: ['*'], roles: ['admin'], onlyRun: 'run_1' }),
  hk_homeless: principalOf({ siteId: '', sites: [] }),
});

describe('The door', () => {
  let http: RunningHttp;
  const get = (path: string, headers: Record<string, string> = {}) => http.request(`/api/v1/probe/${path}`, { headers });
  const as = (key: string) => ({ authorization: `Bearer ${key}` });

  beforeAll(async () => {
    http = await startHttp({ controllers: [Probe, Ai] }, { authenticator: keys, clock: { now: () => NOON } });
  });
  afterAll(() => http.close());
  beforeEach(() => void reached.splice(0));

  it('[AUTH-008] takes a key as bearer token and as X-Api-Key', async () => {
    for (const headers of [as('hk_ada'), { authorization: 'bearer hk_ada' }, { 'x-api-key': 'hk_ada' }, { ...as('hk_ada'), 'x-api-key': 'hk_ada' }]) {
      const answer = await get('me', headers);
      expect([answer.status, await answer.json()]).toMatchObject([200, { data: { id: 'key_ada', siteId: 'site_a' } }]);
    }
  });

  it.each([
    ['no key', {}],
    ['an unknown key', as('hk_nobody')],
    ['an empty key', { 'x-api-key': '' }],
    ['another scheme', { authorization: 'Basic aGtfYWRh' }],
    ['two different keys', { ...as('hk_ada'), 'x-api-key': 'hk_all' }],
    ['a key longer than 8 KiB', as(`hk_${'a'.repeat(8_200)}`)],
  ])('answers %s with 401 before any handler', async (_name, headers) => {
    const answer = await get('me', headers);
    expect([answer.status, answer.headers.get('www-authenticate'), await answer.json()]).toMatchObject([401, 'Bearer', { code: 'UNAUTHENTICATED' }]);
    expect(reached).toEqual([]);
  });

  it('[AUTH-012] takes the site from the principal or from an X-Site-Id it may use, never from the body', async () => {
    const post = async (headers: Record<string, string>) =>
      (await http.request('/api/v1/probe/site', { method: 'POST', headers: { ...as('hk_ada'), 'content-type': 'application/json', ...headers }, body: '{"siteId":"site_b"}' })).json();
    expect(await post({})).toMatchObject({ data: { used: 'site_a', named: 'site_b' } });
    expect(await post({ 'x-site-id': 'site_b' })).toMatchObject({ data: { used: 'site_b' } });
  });

  it('[AUTH-013] refuses every other X-Site-Id alike, whether such a site exists or not', async () => {
    const bodies = await Promise.all(['site_b', 'site_never_made', '*', 'site_a, site_b', ' '].map(async (site) => {
      const answer = await get('me', { ...as('hk_bot'), 'x-site-id': site });
      return [answer.status, await answer.text()];
    }));
    expect(bodies[0]).toMatchObject([403, expect.stringContaining('CROSS_SITE')]);
    expect(new Set(bodies.map(String)).size).toBe(1);
    expect(reached).toEqual([]);
  });

  it('[AUTH-015] refuses a request whose site cannot be resolved, before any handler', async () => {
    for (const [method, path] of [['GET', '/api/v1/probe/me'], ['POST', '/api/v1/ai/chat']] as const) {
      const answer = await http.request(path, { method, headers: as('hk_homeless') });
      const refused = { code: 'CROSS_SITE' };
      expect([answer.status, await answer.json(), reached]).toMatchObject([403, path.includes('/ai/') ? { errors: [refused] } : refused, []]);
    }
    expect((await http.request('/api/v1/ai/chat', { method: 'POST', headers: as('hk_ada') })).status).toBe(201);
  });

  it('lets anybody into a public route, but has no caller there', async () => {
    expect((await get('open')).status).toBe(200);
    expect((await get('open', as('hk_nobody'))).status).toBe(200);
    expect((await get('open/me')).status).toBe(401);
  });

  it.each([['hk_ada', 'needs', 403], ['hk_bot', 'needs', 200], ['hk_all', 'needs', 200], ['hk_admin', 'needs', 200],
    ['hk_ada', 'admin', 403], ['hk_bot', 'admin', 403], ['hk_all', 'admin', 403], ['hk_admin', 'admin', 200]])('with %s answers %s: %i', async (key, path, status) => {
    const answer = await get(path, as(key));
    expect(answer.status).toBe(status);
    expect(reached).toEqual(status === 200 ? [path] : []);
    if (status === 403) expect(await answer.json()).toMatchObject({ code: 'FORBIDDEN', detail: expect.stringContaining('needs the') });
  });

  it.each([['runs/run_1', 200], ['runs/run_2', 403], ['runs/run_1/more', 403], ['no-run', 403], ['no-run?runId=run_1', 403], ['admin', 403], ['me', 403], ['open', 200]])('lets the token of run_1 into %s: %i', async (path, status) => {
    const answer = await get(path, as('hk_token'));
    expect(answer.status).toBe(status);
    expect(reached).toEqual(path === 'runs/run_1' ? ['run'] : []);
  });

  describe('gives the handler a context', () => {
    const contextOf = async (headers: Record<string, string>) => ((await (await get('me', headers)).json()) as { data: { context: Record<string, unknown>; named: string } }).data;

    it('with kind, id and role of the actor, the clock’s time and a fresh command id', async () => {
      const { context, named } = await contextOf(as('hk_bot'));
      expect(context).toEqual({
        actor: { kind: 'agent', id: 'key_bot', role: 'writer' }, siteId: 'site_a', now: NOON.toISOString(), correlationId: expect.any(String),
        commandId: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/),
      });
      expect(named).toBe(`${String(context['commandId'])}:second`);
      expect((await contextOf(as('hk_bot'))).context['commandId']).not.toBe(context['commandId']);
    });

    it('with the client’s correlation id and trace when they are well formed', async () => {
      const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
      expect((await contextOf({ ...as('hk_ada'), 'x-correlation-id': 'order 17', traceparent })).context).toMatchObject({ correlationId: 'order 17', traceparent });
    });

    it('with an id of its own when the client’s cannot be repeated safely', async () => {
      for (const id of ['x'.repeat(129), 'café', 'tab\there']) {
        const { context } = await contextOf({ ...as('hk_ada'), 'x-correlation-id': id, traceparent: '00-zz-1' });
        expect(context['correlationId']).toMatch(/^[0-9a-f-]{36}$/);
        expect(context).not.toHaveProperty('traceparent');
      }
    });
  });
});
