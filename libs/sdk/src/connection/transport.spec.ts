import { afterEach, describe, expect, it } from '@jest/globals';
import { Harness } from '../harness';
import { answers, hangsUp, lists, loopback, refuses, type Handler, type Loopback } from '../testing';
import { HarnessError, SERVER_CODES } from './error';
import type { HarnessOptions } from './transport';

const open: Loopback[] = [];
afterEach(async () => {
  for (const server of open.splice(0)) await server.close();
});

const waits: number[] = [];
const clientOf = async (script: readonly [Handler, ...Handler[]], options: Partial<HarnessOptions> = {}) => {
  waits.length = 0;
  const server = await loopback(...script);
  open.push(server);
  const retry = { wait: (ms: number) => Promise.resolve(void waits.push(ms)), random: () => 1 };
  return { server, harness: new Harness({ url: server.url, key: 'hk_test', retry, ...options }) };
};
const goal = { title: 'Tidy up', agentName: 'tidy' };
const failure = async (promise: Promise<unknown>): Promise<HarnessError> => {
  const error = await promise.then(
    () => undefined,
    (cause: unknown) => cause,
  );
  expect(error).toBeInstanceOf(HarnessError);
  return error as HarnessError;
};

describe('A write', () => {
  it('is sent again under the same idempotency key when the connection breaks or the server is busy', async () => {
    const { server, harness } = await clientOf([
      hangsUp,
      refuses(503, 'OVERLOADED', {}, { 'retry-after': '2' }),
      answers({ goalId: 'goal_1' }, '12'),
    ]);
    const { data, position } = await harness.goals.create(goal);
    expect({ data, position }).toEqual({ data: { goalId: 'goal_1' }, position: '12' });
    const keys = server.seen.map(({ headers }) => headers['idempotency-key']);
    expect(keys).toHaveLength(3);
    expect(new Set(keys).size).toBe(1);
    expect(keys[0]).toMatch(/^[0-9a-f-]{36}$/);
    expect(server.seen.map(({ body }) => body)).toEqual([goal, goal, goal]);
    expect(waits).toEqual([100, 2_000]);
  });

  it('has a key of its own, or the one the caller gives', async () => {
    const { server, harness } = await clientOf([answers({})]);
    await harness.goals.create(goal);
    await harness.goals.create(goal);
    await harness.goals.create(goal, { idempotencyKey: 'import-7' });
    const [first, second, third] = server.seen.map(({ headers }) => headers['idempotency-key']);
    expect(first).not.toBe(second);
    expect(third).toBe('import-7');
  });

  it('is not sent again when the server refused it', async () => {
    const { server, harness } = await clientOf([
      refuses(422, 'VALIDATION_FAILED', { detail: 'No title', facts: { errors: [{ pointer: '/title' }] } }),
    ]);
    const error = await failure(harness.goals.create(goal));
    expect(error).toMatchObject({ status: 422, code: 'VALIDATION_FAILED', detail: 'No title', facts: { errors: [{ pointer: '/title' }] } });
    expect(server.seen).toHaveLength(1);
  });

  it('gives up after the last attempt with the last reason', async () => {
    const { server, harness } = await clientOf([hangsUp]);
    expect((await failure(harness.goals.create(goal))).code).toBe('NETWORK');
    expect(server.seen).toHaveLength(5);
  });

  it('carries the key, the site and the version the caller has seen', async () => {
    const { server, harness } = await clientOf([answers({})], { siteId: 'site_a' });
    await harness.items('products').update('item_1', { title: 'New' }, { ifMatch: 7 });
    expect(server.seen[0]).toMatchObject({
      method: 'PATCH',
      path: '/api/v1/items/products/item_1',
      body: { data: { title: 'New' } },
      headers: { authorization: 'Bearer hk_test', 'x-site-id': 'site_a', 'if-match': '"7"', 'content-type': 'application/json' },
    });
  });
});

describe('A read', () => {
  it('waits for the highest position this client wrote, also beyond 2^53', async () => {
    const { server, harness } = await clientOf([answers({}, '9007199254740993'), answers({}, '9007199254740992'), answers({})]);
    await harness.goals.create(goal);
    await harness.goals.create(goal);
    await harness.goals.get('goal_1');
    expect(server.seen[2]?.headers['x-min-position']).toBe('9007199254740993');
    expect(harness.position).toBe('9007199254740993');
  });

  it('does not wait before the first write, nor when that is switched off', async () => {
    const { server, harness } = await clientOf([answers({}, '5')], { readYourWrites: false });
    await harness.goals.get('goal_1');
    await harness.goals.create(goal);
    await harness.goals.get('goal_1');
    expect(server.seen.map(({ headers }) => headers['x-min-position'])).toEqual([undefined, undefined, undefined]);
  });

  it('takes the later of its own position and the one the caller names', async () => {
    const { server, harness } = await clientOf([answers({}, '50')]);
    await harness.goals.create(goal);
    await harness.goals.get('goal_1', { minPosition: '9' });
    await harness.goals.get('goal_1', { minPosition: '100' });
    expect(server.seen.slice(1).map(({ headers }) => headers['x-min-position'])).toEqual(['50', '100']);
  });

  it('follows a list to its end', async () => {
    const { server, harness } = await clientOf([lists([{ id: 'a' }, { id: 'b' }], 'next&1'), lists([{ id: 'c' }])]);
    const ids: string[] = [];
    for await (const { id } of harness.approvals.each({ status: 'pending' })) ids.push(id);
    expect(ids).toEqual(['a', 'b', 'c']);
    expect(server.seen.map(({ path }) => path)).toEqual([
      '/api/v1/agent/approvals?status=pending',
      '/api/v1/agent/approvals?status=pending&cursor=next%261',
    ]);
  });
});

describe('A failure', () => {
  it.each(SERVER_CODES.map((code) => [code]))('of the server keeps its code: %s', async (code) => {
    const { harness } = await clientOf([refuses(409, code, { detail: 'Because.' })]);
    const error = await failure(harness.goals.get('goal_1'));
    expect(error).toMatchObject({ status: 409, code, detail: 'Because.', message: `${code}: Because.` });
  });

  it('of something that is no harness says so', async () => {
    const { harness } = await clientOf([
      (response) => void response.writeHead(502, { 'content-type': 'text/html' }).end('<h1>Bad gateway</h1>'),
    ]);
    expect(await failure(harness.goals.get('goal_1'))).toMatchObject({ status: 502, code: 'UNEXPECTED_ANSWER' });
  });

  it('to answer in time is a TIMEOUT', async () => {
    const { harness } = await clientOf([() => undefined], { timeoutMs: 30, retry: { attempts: 1 } });
    expect((await failure(harness.goals.get('goal_1'))).code).toBe('TIMEOUT');
  });

  it('to reach the server names the address and the reason', async () => {
    const { server, harness } = await clientOf([answers({})]);
    await server.close();
    const error = await failure(harness.goals.get('goal_1'));
    expect(error).toMatchObject({ status: 0, code: 'NETWORK' });
    expect(error.detail).toContain(server.url);
    expect(error.detail).toContain('ECONNREFUSED');
  });

  it("asked for by the caller is the caller's own reason, and is not repeated", async () => {
    const { server, harness } = await clientOf([() => undefined]);
    const stop = new AbortController();
    const reading = harness.goals.get('goal_1', { signal: stop.signal });
    await server.arrived(1);
    stop.abort(new Error('changed my mind'));
    await expect(reading).rejects.toThrow('changed my mind');
    expect(server.seen).toHaveLength(1);
  });

  it('is found before anything is sent when an id would address something else', async () => {
    const { server, harness } = await clientOf([answers({})]);
    for (const id of ['..', '.', '']) expect((await failure(harness.goals.get(id))).code).toBe('INVALID_ARGUMENT');
    await harness.goals.get('a/b?c');
    expect(server.seen.map(({ path }) => path)).toEqual(['/api/v1/agent/goals/a%2Fb%3Fc']);
  });

  it('to name an http address is found at once', () => {
    expect(() => new Harness({ url: 'localhost:4600', key: 'k' })).toThrow(HarnessError);
  });
});
