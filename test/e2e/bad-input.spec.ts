import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { request } from 'node:http';
import { apiAt, testServer, type Answer, type Api, type Body, type TestServer } from './server';

const MIB = 1_048_576;
const nested = (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;

describe('Input that nobody should send', () => {
  let server: TestServer;
  let agent: Api;
  let runId: string;
  let itemId: string;

  beforeAll(async () => {
    server = await testServer();
    agent = await server.newKey({ name: 'robot', capabilities: ['items:read', 'items:write', 'items:update'] });
    runId = (await agent('POST', 'agent/goals', { title: 'x', agentName: 'robot' })).body.data.runId as string;
    itemId = (await server.admin('POST', 'items/products', { data: { sku: 'B-1', title: 'Intact' } })).body.data.id as string;
  });
  afterAll(() => server.close());

  /** The answer's status and code, once it is sure that the log is what it was. */
  const refusal = async (ask: () => Promise<Answer>) => {
    const before = await server.log();
    const { status, headers, body } = await ask();
    expect(await server.log()).toEqual(before);
    expect(headers.get('content-type')).toBe('application/problem+json; charset=utf-8');
    return [status, body.code];
  };
  /** One and the same JSON text as the data of an item, old and new, and as the arguments of a tool call. */
  const everywhere = (data: string): (() => Promise<Answer>)[] => [
    () => server.admin('POST', 'items/products', `{"data":${data}}`),
    () => server.admin('PATCH', `items/products/${itemId}`, `{"data":${data}}`),
    () => agent('POST', `agent/runs/${runId}/tool-calls`, `{"tool":"createItem","arguments":{"collection":"products","data":${data}}}`),
    () => agent('POST', 'agent/goals', `{"title":"x","agentName":"robot","task":{"skillName":"createItem","arguments":{"collection":"products","data":${data}}}}`),
  ];

  it('[API-024] refuses a wrong key in every form with one and the same answer', async () => {
    const { key } = agent;
    const otherSecret = `${key.slice(0, -4)}${key.endsWith('AAAA') ? 'BBBB' : 'AAAA'}`;
    const wrong: Record<string, string>[] = [
      {}, { authorization: 'Bearer' }, { authorization: `Basic ${key}` }, { authorization: `Bearer ${otherSecret}` }, { authorization: `Bearer ${key}x` },
      { authorization: `Bearer hk_${'0'.repeat(32)}_${'A'.repeat(43)}` }, { authorization: 'Bearer hk_guess' }, { authorization: `Bearer hk_${'x'.repeat(6_000)}` },
      { authorization: 'Bearer \u00ff\u00fe' }, { 'x-api-key': '' }, { 'x-api-key': otherSecret }, { authorization: `Bearer ${key}`, 'x-api-key': otherSecret },
    ];
    const bodies = new Set<string>();
    for (const headers of wrong) {
      for (const [method, path, body] of [['POST', 'items/products', '{"data":{"sku":"W","title":"W"}}'], ['GET', 'agent/goals', undefined]] as const) {
        const ask = async () => {
          const answer = await fetch(`${server.url}/api/v1/${path}`, { method, headers: { ...headers, 'content-type': 'application/json' }, ...(body && { body }) });
          const text = await answer.text();
          bodies.add(text);
          return { status: answer.status, headers: answer.headers, text, body: JSON.parse(text) as Body };
        };
        expect(await refusal(ask)).toEqual([401, 'UNAUTHENTICATED']);
      }
    }
    expect(bodies.size).toBe(1);
  });

  it('refuses a foreign site, whether it exists or not, and hears none in a body', async () => {
    const { siteId } = (await server.admin('POST', 'sites', { name: 'Foreign' })).body.data;
    const bodies = new Set<string>();
    for (const named of [siteId, 'site_none', 'SITE_DEMO', '']) {
      const ask = async () => {
        const answer = await server.admin('POST', 'items/products', { data: { sku: 'F', title: 'F' } }, { 'x-site-id': named as string });
        bodies.add(answer.text);
        return answer;
      };
      expect(await refusal(ask)).toEqual([403, 'CROSS_SITE']);
    }
    expect(bodies.size).toBe(1);
    expect(await refusal(() => server.admin('POST', 'items/products', { siteId, data: { sku: 'F', title: 'F' } }))).toEqual([422, 'VALIDATION_FAILED']);
  });

  it.each(['{"data":', '{data:{}}', '{"data":{"sku":01}}', '\u0001', '{"data":NaN}', '{}{}', "{'data':{}}", '{"data":{"sku":"a\u0000"}}', 'undefined'])(
    '[API-025] answers JSON that is malformed with VALIDATION_FAILED: %j', async (body) => {
      for (const [method, path] of [['POST', 'items/products'], ['PATCH', `items/products/${itemId}`], ['POST', `agent/runs/${runId}/tool-calls`], ['PUT', 'agent/tools/getItem']] as const) {
        expect(await refusal(() => server.admin(method, path, body))).toEqual([400, 'VALIDATION_FAILED']);
      }
    },
  );

  it('takes nothing but JSON', async () => {
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', 'application/xml'])
      expect(await refusal(() => server.admin('POST', 'items/products', '{"data":{"sku":"T","title":"T"}}', { 'content-type': type }))).toEqual([415, 'VALIDATION_FAILED']);
  });

  it('[API-026] refuses a body above the limit, announced or not', async () => {
    const large = `{"data":{"sku":"L","title":"${'x'.repeat(MIB)}"}}`;
    for (const ask of [
      () => server.admin('POST', 'items/products', large), () => agent('POST', `agent/runs/${runId}/tool-calls`, `{"tool":"createItem","arguments":${large}}`),
      () => chunked(server.url, agent.key, `/api/v1/agent/runs/${runId}/tool-calls`, large),
    ]) expect(await refusal(ask)).toEqual([413, 'PAYLOAD_TOO_LARGE']);
  });

  it.each([['NUL', '\\u0000'], ['a lone high surrogate', '\\ud800'], ['a lone low surrogate', '\\udfff'], ['surrogates in the wrong order', '\\udc00\\ud800']])(
    '[API-022] refuses %s in text and in names', async (_name, escape) => {
      for (const data of [`{"sku":"N","title":"a${escape}b"}`, `{"sku":"N","title":"N","a${escape}b":1}`, `{"sku":"N","title":["${escape}"]}`])
        for (const ask of everywhere(data)) expect(await refusal(ask)).toEqual([422, 'VALIDATION_FAILED']);
      const inOtherPlaces: [string, string, string][] = [
        ['POST', 'agent/goals', `{"title":"a${escape}","agentName":"robot"}`], ['POST', `agent/runs/${runId}/fail`, `{"reason":"a${escape}"}`],
        ['POST', 'collections', `{"name":"n","fields":[{"name":"n","type":"enum","options":["a${escape}"]}]}`], ['POST', 'api-keys', `{"name":"a${escape}","kind":"human","capabilities":[]}`],
      ];
      for (const [method, path, body] of inOtherPlaces) expect(await refusal(() => server.admin(method, path, body))).toEqual([422, 'VALIDATION_FAILED']);
    },
  );

  it('refuses NUL in paths and queries', async () => {
    for (const path of ['items/products/%00', 'agent/runs/a%00b', 'agent/goals?status=%00', 'items/products?filter=%00', 'audit/events?streamId=a%00'])
      expect(await refusal(() => server.admin('GET', path))).toEqual([422, 'VALIDATION_FAILED']);
  });

  it('[API-027] refuses JSON that is nested too deep, in little time', async () => {
    const started = performance.now();
    for (const data of [nested(65), nested(10_000), '['.repeat(500_000), `{"sku":"D","title":"D","x":${nested(80)}}`])
      for (const ask of everywhere(data)) expect(await refusal(ask)).toEqual([422, 'VALIDATION_FAILED']);
    expect(performance.now() - started).toBeLessThan(10_000);
  });

  it.each(['9007199254740993', '-9007199254740992', '1e30', '1e400', '123456789012345678901234567890'])('[API-021] refuses %s rather than rounding it', async (number) => {
    for (const ask of everywhere(`{"sku":"I","title":"I","stock":${number}}`)) expect(await refusal(ask)).toEqual([422, 'VALIDATION_FAILED']);
    expect(await refusal(() => agent('POST', 'agent/goals', `{"title":"x","agentName":"robot","budget":{"maxToolCalls":${number}}}`))).toEqual([422, 'VALIDATION_FAILED']);
  });

  it('[SEC-015] refuses names that would reach a prototype, and pollutes none', async () => {
    for (const data of ['{"sku":"P","title":"P","__proto__":{"polluted":true}}', '{"constructor":{"prototype":{"polluted":true}}}', '{"sku":{"__proto__":{"polluted":true}}}'])
      for (const ask of everywhere(data)) expect(await refusal(ask)).toEqual([422, 'VALIDATION_FAILED']);
    expect(await refusal(() => server.admin('PUT', 'agent/tools/getItem', '{"inputSchema":{"type":"object","properties":{"__proto__":{"type":"string"}}}}'))).toEqual([422, 'VALIDATION_FAILED']);
    expect(await refusal(() => server.admin('GET', 'agent/goals?__proto__=x'))).toEqual([422, 'VALIDATION_FAILED']);
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
    expect(Object.keys(Object.prototype)).toEqual([]);
  });

  it('loses no field on the way, whatever it is called', async () => {
    const data = { constructor: { a: 1 }, prototype: { b: [2] }, hasOwnProperty: { prototype: 'c' } };
    await server.admin('POST', 'collections', { name: 'odd', fields: Object.keys(data).map((name) => ({ name, type: 'json' })) });
    const { id } = (await server.admin('POST', 'items/odd', { data })).body.data;
    expect((await server.admin('GET', `items/odd/${id as string}`)).body.data.data).toEqual(data);
    const said = await agent('POST', `agent/runs/${runId}/tool-calls`, { tool: 'createItem', arguments: { collection: 'products', data: { sku: 'O-1', title: 'O' }, constructor: { a: 1 } } });
    expect(said.body.data).toMatchObject({ status: 'denied', reason: 'invalid_arguments' });
  });

  it('[API-020] converts nothing', async () => {
    for (const wrong of [{ enabled: 'false' }, { enabled: 0 }, { timeoutMs: '3' }, { dangerous: null }, { timeoutMs: true }])
      expect(await refusal(() => server.admin('PUT', 'agent/tools/getItem', wrong))).toEqual([422, 'VALIDATION_FAILED']);
    expect(await refusal(() => agent('POST', 'agent/goals', { title: 3, agentName: 'robot' }))).toEqual([422, 'VALIDATION_FAILED']);
    for (const query of ['limit=0', 'limit=201', 'limit=1e1', 'limit=3&limit=4', 'cursor=%20', 'status=none', 'unknown=1', 'minPosition=-1', 'minPosition=1.5'])
      expect(await refusal(() => agent('GET', `agent/goals?${query}`))).toEqual([422, 'VALIDATION_FAILED']);
  });

  it.each([['an unknown tool', 'noSuchTool', {}, 'tool_not_registered'], ['a name from a prototype', 'constructor', {}, 'tool_not_registered'], ['arguments that break the schema', 'createItem', { collection: 7 }, 'invalid_arguments']])(
    'records exactly one denial for %s', async (_name, tool, args, reason) => {
      const before = await server.log();
      const answer = await agent('POST', `agent/runs/${runId}/tool-calls`, { tool, arguments: args });
      const after = await server.log();
      expect([answer.status, answer.body.data]).toMatchObject([200, { status: 'denied', reason }]);
      expect(after.slice(0, before.length)).toEqual(before);
      expect(after.slice(before.length).map((event: Body) => [event.type, event.data.reason])).toEqual([['ToolCallDenied', reason]]);
    },
  );

  it('names no route that does not exist', async () => {
    for (const [method, path] of [['GET', 'nothing'], ['DELETE', 'agent/goals'], ['POST', 'agent/runs'], ['GET', '../../etc/passwd']] as const)
      expect(await refusal(() => server.admin(method, path))).toEqual([404, 'NOT_FOUND']);
    expect(await refusal(() => apiAt(server.url)(agent.key)('GET', '/api/v2/agent/goals'))).toEqual([404, 'NOT_FOUND']);
  });

  it('goes on serving', async () => {
    expect((await server.admin('GET', `items/products/${itemId}`)).body.data).toMatchObject({ data: { title: 'Intact' }, version: 1 });
    expect((await agent('GET', `agent/runs/${runId}`)).body.data.status).toBe('running');
  });
});

/** Sends a body without saying how long it is. */
const chunked = (url: string, key: string, path: string, body: string): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const asking = request(new URL(path, url), { method: 'POST', headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', 'transfer-encoding': 'chunked' } }, (response) => {
      let text = '';
      response.on('data', (chunk) => (text += String(chunk)));
      response.on('end', () => resolve({ status: response.statusCode!, headers: new Headers(response.headers as Record<string, string>), text, body: JSON.parse(text) as Body }));
    });
    // The server answers and hangs up before everything is sent.
    asking.on('error', (error: NodeJS.ErrnoException) => (['EPIPE', 'ECONNRESET'].includes(error.code!) ? undefined : reject(error)));
    asking.end(body);
  });
