import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { RequestVerifier } from '@app/sdk';
import { CountingServer, type Answering } from './counting-server';
import { jobs } from './jobs';
import type { Body } from './server';

const SECRET = 'whsec_of-the-demo-site';
const KEY = 'key-that-the-crm-gave-us';

describe('A tool of kind http', () => {
  const { server, open, reviewer, eventsOf } = jobs();
  let outside: CountingServer;
  let elsewhere: CountingServer;
  const settings = async (body: Body) => expect((await server().admin('PUT', 'settings', body)).status).toBe(200);
  const allow = (...allowHosts: string[]) => settings({ outbound: { allowHosts } });
  const register = async (more: Body = {}, name = 'crm') => {
    const { http, ...rest } = more as { http?: object };
    const body = {
      kind: 'http', description: 'Looks a customer up', inputSchema: { type: 'object', properties: { customer: { type: 'string' } } }, requiredCapabilities: ['items:read'], risk: 'read',
      http: { url: `${outside.url}/tools/crm`, ...http }, ...rest,
    };
    const answer = await server().admin('PUT', `agent/tools/${name}`, body);
    if (answer.status !== 200) throw new Error(answer.text);
  };
  const call = async (args: Body = { customer: 'Ada' }, callId?: string) => (await (await open()).call('crm', args, callId)).data as Body;
  const failure = async (answer?: Answering) => {
    if (answer) outside.answer = answer;
    const { status, reason, rule } = await call();
    return `${status} ${rule}: ${reason}`;
  };

  beforeAll(async () => {
    outside = await CountingServer.start();
    elsewhere = await CountingServer.start();
    await settings({ outbound: { allowHosts: [outside.host] }, secrets: { 'webhook-signing': SECRET, crm: KEY } });
  });
  afterEach(async () => {
    outside.reset();
    elsewhere.reset();
    await allow(outside.host);
  });
  afterAll(async () => {
    await outside.close();
    await elsewhere.close();
  });

  it('[EXT-001] gets the call at its URL, signed, with a timestamp and an idempotency key', async () => {
    await register();
    const { runId, call: ask } = await open();
    outside.answer = () => ({ body: { customer: { id: 7, name: 'Ada' } } });
    const answer = (await ask('crm', { customer: 'Ada' }, 'call_1')).data as Body;
    expect(answer).toMatchObject({ callId: 'call_1', status: 'executed', result: { customer: { id: 7, name: 'Ada' } } });
    const [received] = outside.received as [(typeof outside.received)[number]];
    expect(received).toMatchObject({ method: 'POST', url: '/tools/crm', key: `${runId}/call_1`, body: { tool: 'crm', arguments: { customer: 'Ada' }, siteId: 'site_demo', runId, callId: 'call_1' } });
    expect(Math.abs(Number(received.headers['x-harness-timestamp']) - Date.now() / 1000)).toBeLessThan(60);

    const arrived = { method: received.method, url: received.url, headers: received.headers, body: received.text };
    const verifier = new RequestVerifier(SECRET);
    expect(await verifier.verify(arrived)).toMatchObject({ ok: true, idempotencyKey: `${runId}/call_1` });
    expect(await verifier.verify(arrived)).toEqual({ ok: false, detail: 'The request has been received before.' });
    for (const forged of [{ ...arrived, body: arrived.body.replace('Ada', 'Eve') }, { ...arrived, headers: { ...arrived.headers, 'x-harness-timestamp': '1700000000' } }]) {
      expect(await new RequestVerifier(SECRET).verify(forged)).toMatchObject({ ok: false });
    }
    expect(await new RequestVerifier('another').verify(arrived)).toMatchObject({ ok: false });
    expect(await new RequestVerifier(SECRET, { now: () => new Date(Date.now() + 301_000) }).verify(arrived)).toMatchObject({ ok: false, detail: expect.stringContaining('too long ago') });
  });

  it('gets its arguments in the query when it is asked by GET, and the path with the query is what is signed', async () => {
    await register({ http: { method: 'GET', url: `${outside.url}/find?v=2` } });
    expect(await call({ customer: 'Ada & Co', more: [1, true] } as Body)).toMatchObject({ status: 'executed' });
    const [{ method, url, headers, text }] = outside.received as [(typeof outside.received)[number]];
    expect([method, Object.fromEntries(new URL(url, outside.url).searchParams), text]).toEqual(['GET', { v: '2', customer: 'Ada & Co', more: '[1,true]' }, '']);
    expect(await new RequestVerifier(SECRET).verify({ method, url, headers, body: text })).toMatchObject({ ok: true });
    expect(await new RequestVerifier(SECRET).verify({ method, url: url.replace('Ada', 'Eve'), headers, body: text })).toMatchObject({ ok: false });
  });

  it('may answer with JSON, with text or with nothing', async () => {
    await register();
    const results = [];
    for (const answer of [{ body: '[1,"two"]' }, { body: 'words', headers: { 'content-type': 'text/plain' } }, { status: 204, headers: {} }, { body: '{"id":12345678901234567890}' }, { body: '{"a":1}', headers: {} }]) {
      outside.answer = () => answer;
      results.push((await call()).result);
    }
    expect(results).toEqual([[1, 'two'], { text: 'words' }, null, { id: '12345678901234567890' }, { a: 1 }]);
  });

  it('[EXT-002] [SEC-009] ends the call as failed with the reason when it does not answer in time, or answers with too much', async () => {
    await register({ timeoutMs: 150 });
    expect(await failure(() => undefined)).toBe('failed timeout: The tool did not answer within 150 ms');
    const drip: Answering = (_call, response) => {
      const timer = setInterval(() => response.write(' '), 10);
      response.writeHead(200, { 'content-type': 'application/json' }).on('close', () => clearInterval(timer));
      return undefined;
    };
    expect(await failure(drip)).toBe('failed timeout: The tool did not answer within 150 ms');
    await register();
    expect(await failure(() => ({ body: { text: 'x'.repeat(512 * 1024) } }))).toBe(`failed handler_failed: RESPONSE_TOO_LARGE: ${outside.url} answered with more than 524288 bytes.`);
    outside.answer = () => ({ body: { text: 'x'.repeat(500 * 1024) } });
    expect(await call()).toMatchObject({ status: 'executed' });
  });

  it('[EXT-018] [SEC-006] reaches no private, loopback, link-local or metadata address, unless the settings list the host', async () => {
    await register();
    await allow();
    for (const url of [outside.url, `http://2130706433:${outside.host.split(':')[1]}/`, 'http://localhost:1/', 'http://[::1]:1/', 'http://10.0.0.1/', 'http://192.168.1.1/', 'http://172.16.0.1/', 'http://169.254.1.1/', 'http://169.254.169.254/latest/meta-data/', 'http://[fd00:ec2::254]/', 'http://[fe80::1]/', 'http://100.64.0.1/', 'http://0.0.0.0/']) {
      await register({ http: { url } });
      expect(await failure()).toMatch(/^failed handler_failed: ADDRESS_REFUSED: .*outbound\.allowHosts/);
    }
    expect(outside.received).toEqual([]);
    await register();
    await allow(outside.host);
    expect(await call()).toMatchObject({ status: 'executed' });
    await allow(elsewhere.host);
    expect(await failure()).toMatch(/ADDRESS_REFUSED/);
    expect(outside.received).toHaveLength(1);
  });

  it('[SEC-007] follows no redirect into a refused range, and takes no credential to another origin', async () => {
    await register({ http: { auth: 'secret://crm' } });
    for (const location of [elsewhere.url, 'http://169.254.169.254/latest/meta-data/', 'http://10.0.0.1/', `http://[::ffff:127.0.0.1]:${elsewhere.host.split(':')[1]}/`, 'http://localhost:1/']) {
      for (const status of [302, 307]) expect(await failure(() => ({ status, headers: { location } }))).toMatch(/^failed handler_failed: ADDRESS_REFUSED/);
    }
    expect(elsewhere.received).toEqual([]);
    await allow(outside.host, elsewhere.host);
    outside.answer = () => ({ status: 307, headers: { location: `${elsewhere.url}/there` } });
    expect(await call()).toMatchObject({ status: 'executed' });
    expect(outside.received.at(-1)!.headers.authorization).toBe(`Bearer ${KEY}`);
    expect([elsewhere.received[0]!.url, elsewhere.received[0]!.headers.authorization, elsewhere.received[0]!.headers['x-harness-signature']]).toEqual(['/there', undefined, undefined]);
  });

  it('[SEC-012] gets secrets by their names, which are looked up when the call is sent and not before', async () => {
    await register({ risk: 'write', http: { url: `${outside.url}/secret://path/x`, auth: 'secret://crm', headers: { 'X-Account': 'acct secret://account' } } });
    const { runId, call: ask } = await open();
    const { status, approvalId } = (await ask('crm')).data as Body;
    expect(status).toBe('pending_approval');
    // Neither secret has been needed so far: one is not even set, the other is set anew before the call is approved.
    const decide = () => reviewer()('POST', `agent/approvals/${approvalId}/decide`, { decision: 'approved' });
    expect((await decide()).body.data.call).toMatchObject({ status: 'pending_approval', reason: expect.stringMatching(/^SECRET_UNAVAILABLE: /) });
    expect(outside.received).toEqual([]);
    await settings({ secrets: { account: 'account-no-42', crm: 'the-key-of-today', path: 'hook-0123456789' } });
    outside.answer = ({ headers }) => ({ body: { echoed: headers, told: `you sent ${headers.authorization}` } });
    const { result } = (await decide()).body.data.call as Body;
    expect(outside.received[0]!.url).toBe('/hook-0123456789/x');
    expect(outside.received[0]!.headers).toMatchObject({ authorization: 'Bearer the-key-of-today', 'x-account': 'acct account-no-42' });
    await settings({ secrets: { crm: KEY } });
    // Not even a tool that repeats what it was sent brings them into the log or to the agent.
    expect(result.told).toMatch(/^you sent Bearer (?!the-key)/);
    for (const seen of [JSON.stringify(await server().log()), JSON.stringify(result), (await server().admin('GET', 'agent/tools/crm')).text]) {
      for (const value of ['the-key-of-today', 'account-no-42', 'hook-0123456789', KEY, SECRET]) expect(seen).not.toContain(value);
    }
    expect((await server().admin('GET', 'agent/tools/crm')).body.data.http).toMatchObject({ auth: 'secret://crm', headers: { 'X-Account': 'acct secret://account' } });
    expect((await eventsOf(runId)).filter(({ type }) => type === 'ToolCallSucceeded')).toHaveLength(1);
  });

  it('is executed once for each call, however often the call is sent and the approval decided', async () => {
    await register({ risk: 'write' });
    const { runId, call: ask } = await open();
    const calls = await Promise.all(Array.from({ length: 5 }, (_, n) => ask('crm', { customer: `c${n}` }, `call_${n}`)));
    const release = outside.hold();
    const decided = calls.flatMap(({ data }) => [1, 2, 3].map(() => reviewer()('POST', `agent/approvals/${data.approvalId}/decide`, { decision: 'approved' })));
    await outside.until(5);
    const repeated = calls.map(({ data }) => ask('crm', { customer: `c${(data.callId as string).at(-1)}` }, data.callId as string));
    release();
    const statuses = (await Promise.all(decided)).map(({ status }) => status);
    expect([statuses.filter((status) => status === 200).length, statuses.filter((status) => status === 409).length]).toEqual([5, 10]);
    for (const { data } of await Promise.all(repeated)) expect(data.status).toBe('executed');
    for (const { data } of calls) expect((await ask('crm', { customer: `c${(data.callId as string).at(-1)}` }, data.callId as string)).data).toMatchObject({ status: 'executed', result: { done: `${runId}/${data.callId}` } });
    expect([...outside.counts()].toSorted()).toEqual(Array.from({ length: 5 }, (_, n) => [`${runId}/call_${n}`, 1]));
  });

  it('[API-023] has NUL and lone surrogates in its result replaced, and the replacement noted', async () => {
    await register();
    const { runId, call: ask } = await open();
    outside.answer = () => ({ body: '{"a":"x\\u0000y","b":["\\ud800","\\udc00z"],"\\u0000k":"😀"}' });
    expect((await ask('crm')).data).toMatchObject({ status: 'executed', result: { a: 'x\ufffdy', b: ['\ufffd', '\ufffdz'], '\ufffdk': '😀' } });
    expect((await eventsOf(runId)).find(({ type }) => type === 'ToolCallSucceeded')!.data).toMatchObject({ replacedCharacters: 4 });
  });

  it('that cannot be reached, or that lies, gives a stable code, and the run shows what its events fold to', async () => {
    const closed = await CountingServer.start();
    await closed.close();
    const nobody = `http://127.0.0.1:${outside.host.split(':')[1] === '9' ? 10 : 9}/`;
    await allow(outside.host, '127.0.0.1:9', '127.0.0.1:10');
    await register({ http: { url: nobody } });
    expect(await failure()).toMatch(/^failed handler_failed: UPSTREAM_UNREACHABLE: /);
    await register({ outputSchema: { type: 'object', properties: { id: { type: 'integer' } }, required: ['id'] } });
    const rows: readonly (readonly [Answering, RegExp])[] = [
      [() => ({ status: 503, body: 'down\r\nfor  maintenance' }), /^UPSTREAM_STATUS: \S+ answered 503: down for maintenance$/],
      [() => ({ status: 500, body: 'x'.repeat(1_000) }), /^UPSTREAM_STATUS: \S+ answered 500: x{300}…$/],
      [() => ({ status: 304, headers: {} }), /^UPSTREAM_STATUS: \S+ answered 304\.$/],
      [() => ({ body: '{"id":' }), /^RESPONSE_INVALID: .* not JSON/],
      [() => ({ body: '[1]' }), /^RESPONSE_INVALID: .* output schema/],
      [() => ({ body: '{"id":"7"}' }), /^RESPONSE_INVALID: .* \/id must be integer/],
      [() => ({ body: { id: 1, text: 'x'.repeat(600_000) } }), /^RESPONSE_TOO_LARGE: .* more than 524288 bytes/],
      [() => ({ body: 'PK', headers: { 'content-type': 'application/zip' } }), /^RESPONSE_INVALID: .* application\/zip/],
      [() => ({ body: `{"id":1,"a":${'['.repeat(10_000)}${']'.repeat(10_000)}}` }), /^RESPONSE_INVALID: .* 64 levels/],
      [() => ({ body: '{}', headers: { 'content-encoding': 'gzip', 'content-type': 'application/json' } }), /^RESPONSE_INVALID: .* decompressed/],
      [(_call, response) => (response.destroy(), undefined), /^UPSTREAM_UNREACHABLE: /],
      [(_call, response) => (response.writeHead(200, { 'content-length': '100' }).write('{'), response.destroy(), undefined), /^UPSTREAM_UNREACHABLE: /],
    ];
    for (const [answer, sentence] of rows) {
      outside.answer = answer;
      const { data } = (await server().admin('POST', 'agent/goals', { title: 'Ask', agentName: 'robot', task: { skillName: 'crm', arguments: {} } })).body as Body;
      expect(data.result).toMatchObject({ status: 'failed', rule: 'handler_failed', reason: expect.stringMatching(sentence) });
      const types = (await eventsOf(data.runId as string)).map(({ type }) => type as string).slice(-2);
      expect([types, data.runStatus]).toEqual([['ToolCallFailed', 'RunFailed'], 'failed']);
      expect((await server().admin('GET', `agent/runs/${data.runId}`)).body.data).toMatchObject({ status: 'failed', stopReason: 'tool_failed' });
    }
    outside.answer = () => ({ body: { id: 7 } });
    expect(await call()).toMatchObject({ status: 'executed', result: { id: 7 } });
  });
});
