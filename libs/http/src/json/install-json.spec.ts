import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Body, Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { z } from 'zod';
import { Public } from '../access';
import { booleanParam, ListQuery, sortParam } from '../query-params';
import { listAnswer } from '../respond';
import { KnownKeys, startHttp, type RunningHttp } from '../testing';

const written: unknown[] = [];
const write = (data: unknown) => {
  written.push(data);
  return { data, position: '1' };
};

const Note = z.strictObject({ title: z.string(), done: z.boolean().optional(), stars: z.number().optional(), tags: z.array(z.strictObject({ name: z.string() })).optional() });
const Options = z.strictObject({ note: z.string().optional() });
const Filter = ListQuery.extend({ done: booleanParam.optional(), sort: sortParam('createdAt', 'title') });

@Public()
@Controller('probe')
class Probe {
  @Post('note') @HttpCode(200) note(@Body({ schema: Note }) body: z.infer<typeof Note>) { return write(body); }
  @Post('options') @HttpCode(200) options(@Body({ schema: Options }) body: z.infer<typeof Options>) { return write(body); }
  @Post('raw') @HttpCode(200) raw(@Body() body: unknown) { return write({ body, type: typeof body }); }
  @Get('list') list(@Query({ schema: Filter }) filter: z.infer<typeof Filter>) { return { data: filter, position: '0' }; }
  @Get('rows') rows(@Query({ schema: Filter }) { limit, cursor = '0', done, sort }: z.infer<typeof Filter>) {
    const all = Array.from({ length: 1_000 }, (_, n) => ({ n, done: n % 2 === 0 })).filter((row) => done === undefined || row.done === done);
    if (sort?.direction === 'desc') all.reverse();
    const next = Number(cursor) + limit;
    return listAnswer({ rows: all.slice(Number(cursor), next), nextCursor: next < all.length ? String(next) : null, position: 7n });
  }
  @Get('one/:id') one(@Param('id') id: string, @Query('q') q: unknown) { return write({ id, q }); }
}

describe('Input', () => {
  let http: RunningHttp;
  const post = async (path: string, body: string | Uint8Array<ArrayBuffer>, type = 'application/json') => {
    const answer = await http.request(`/api/v1/probe/${path}`, { method: 'POST', headers: { 'content-type': type }, body });
    return { status: answer.status, body: (await answer.json()) as { data?: unknown; code?: string; facts?: { errors?: { pointer: string; detail: string }[] } } };
  };
  const get = async (path: string) => {
    const answer = await http.request(`/api/v1/probe/${path}`);
    return { status: answer.status, body: (await answer.json()) as { data?: unknown; code?: string; facts?: unknown } };
  };
  const refused = (pointer: string) => ({ status: 422, body: { code: 'VALIDATION_FAILED', facts: { errors: [{ pointer, detail: expect.any(String) }] } } });

  beforeAll(async () => {
    http = await startHttp({ controllers: [Probe] }, { authenticator: new KnownKeys({}), bodyLimit: 20_000 });
  });
  afterAll(() => http.close());
  afterEach(() => void written.splice(0));

  it('[API-019] an empty JSON body is no body', async () => {
    expect(await post('raw', '')).toMatchObject({ status: 200, body: { data: { type: 'undefined' } } });
    expect(await post('options', '')).toMatchObject({ status: 200, body: { data: {} } });
    expect(await post('note', '')).toMatchObject(refused('/title'));
    expect(await post('options', 'null')).toMatchObject(refused(''));
  });

  it('[API-020] nothing is coerced', async () => {
    expect(await post('note', '{"title":"a","done":"false"}')).toMatchObject(refused('/done'));
    expect(await post('note', '{"title":"a","stars":"3"}')).toMatchObject(refused('/stars'));
    expect(await post('note', '{"title":3}')).toMatchObject(refused('/title'));
    expect(await post('note', '{"title":"a","tags":{"name":"x"}}')).toMatchObject(refused('/tags'));
    expect(written).toEqual([]);
    expect(await post('note', '{"title":"3","done":false,"stars":3}')).toMatchObject({ status: 200, body: { data: { title: '3', done: false, stars: 3 } } });
  });

  it.each(['9007199254740993', '-9007199254740993', '9007199254740992', '123456789012345678901234567890', '9007199254740993.0', '1e400', '-1e400'])(
    '[API-021] %s is refused rather than rounded', async (number) => {
      expect(await post('raw', `{"a":[{"n":${number}}]}`)).toMatchObject(refused('/a/0/n'));
      expect(written).toEqual([]);
    });

  it('[API-021] the largest safe integers keep all digits', async () => {
    expect(await post('raw', '[9007199254740991,-9007199254740991,0.1,1e3]')).toMatchObject({ body: { data: { body: [9007199254740991, -9007199254740991, 0.1, 1000] } } });
  });

  it.each([
    ['a NUL in a value', '{"a":"x\\u0000y"}', '/a'],
    ['a NUL in a key', '{"a":{"b\\u0000":1}}', '/a/b\0'],
    ['a lone high surrogate', '["\\ud800"]', '/0'],
    ['a lone low surrogate in a key', '{"\\udc00":1}', '/\ufffd'],
    ['surrogates in the wrong order', '"\\udc00\\ud800"', ''],
  ])('[API-022] %s is refused and nothing is written', async (_name, body, pointer) => {
    expect(await post('raw', body)).toMatchObject(refused(pointer));
    expect(written).toEqual([]);
  });

  it('[API-022] NUL in path or query is refused too, and a surrogate pair is fine', async () => {
    expect(await get('one/a%00b')).toMatchObject(refused('/id'));
    expect(await get('one/a?q=a%00b')).toMatchObject(refused('/q'));
    expect(await get('one/a?q=a&q=b%00')).toMatchObject(refused('/q'));
    expect(written).toEqual([]);
    expect(await post('raw', '["\\ud83d\\ude00","😀"]')).toMatchObject({ body: { data: { body: ['😀', '😀'] } } });
  });

  it.each([['cut off', '{"a":'], ['two values', '{} {}'], ['a comment', '{/* */}'], ['NaN', '[NaN]'], ['single quotes', "{'a':1}"], ['a raw control character', '"\u0001"']])(
    '[API-025] malformed JSON (%s) answers 400 and writes nothing', async (_name, body) => {
      expect(await post('raw', body)).toMatchObject({ status: 400, body: { code: 'VALIDATION_FAILED' } });
      expect(written).toEqual([]);
    });

  it('[API-025] bytes that are no UTF-8 are malformed too', async () => {
    expect(await post('raw', Uint8Array.of(0x22, 0xff, 0x22))).toMatchObject({ status: 400, body: { code: 'VALIDATION_FAILED' } });
    expect(await post('raw', Uint8Array.of(0x22, 0xed, 0xa0, 0x80, 0x22))).toMatchObject({ status: 400, body: { code: 'VALIDATION_FAILED' } });
    expect(written).toEqual([]);
  });

  it('[API-026] a body above the limit answers 413 and writes nothing', async () => {
    expect(await post('raw', JSON.stringify('x'.repeat(20_000)))).toMatchObject({ status: 413, body: { code: 'PAYLOAD_TOO_LARGE' } });
    const endless = new ReadableStream<Uint8Array>({ pull: (out) => out.enqueue(new TextEncoder().encode('"'.padEnd(5_000, 'x'))) });
    const answer = await http.request('/api/v1/probe/raw', { method: 'POST', headers: { 'content-type': 'application/json' }, body: endless, duplex: 'half' } as RequestInit);
    expect([answer.status, await answer.json()]).toMatchObject([413, { code: 'PAYLOAD_TOO_LARGE' }]);
    expect(written).toEqual([]);
  });

  it('[API-027] JSON nested deeper than 64 levels is refused with a stable code', async () => {
    const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
    expect(await post('raw', nested(64))).toMatchObject({ status: 200 });
    expect(await post('raw', nested(65))).toMatchObject({ status: 422, body: { code: 'VALIDATION_FAILED' } });
    expect(await post('raw', '{"a":'.repeat(3_000) + '1' + '}'.repeat(3_000))).toMatchObject({ status: 422, body: { code: 'VALIDATION_FAILED' } });
  });

  it.each([
    ['{"__proto__":{"admin":true}}', '/__proto__'],
    ['{"\\u005f_proto__":{"admin":true}}', '/__proto__'],
    ['{"a":[{"constructor":{"prototype":{"admin":true}}}]}', '/a/0/constructor'],
  ])('[SEC-015] %s pollutes no prototype', async (body, pointer) => {
    expect(await post('raw', body)).toMatchObject(refused(pointer));
    expect(({} as { admin?: unknown }).admin).toBeUndefined();
    expect(written).toEqual([]);
  });

  it('[SEC-015] prototype names in a query pollute nothing', async () => {
    expect(await get('list?__proto__[admin]=1')).toMatchObject({ status: 422 });
    expect(await get('list?__proto__=1')).toMatchObject({ status: 422 });
    expect(({} as { admin?: unknown }).admin).toBeUndefined();
  });

  it('a field may be called constructor', async () => {
    expect(await post('raw', '{"constructor":"x"}')).toMatchObject({ status: 200 });
  });

  it('names every broken field', async () => {
    const { body } = await post('note', '{"tags":[{"name":1,"a/b":2}],"extra":1}');
    expect(body.facts?.errors?.map(({ pointer }) => pointer).sort()).toEqual(['/extra', '/tags/0/a~1b', '/tags/0/name', '/title']);
  });

  it('lists 50 errors at most', async () => {
    const { body } = await post('note', JSON.stringify({ title: 'a', tags: Array.from({ length: 500 }, () => ({ name: 1 })) }));
    expect(body.facts?.errors).toHaveLength(50);
  });

  describe('a query', () => {
    it('is text that each parameter reads in its own way', async () => {
      expect(await get('list')).toMatchObject({ body: { data: { limit: 50 } } });
      expect(await get('list?limit=200&cursor=abc&sort=-createdAt&done=false&minPosition=9223372036854775807')).toMatchObject({
        body: { data: { limit: 200, cursor: 'abc', sort: { field: 'createdAt', direction: 'desc' }, done: false, minPosition: '9223372036854775807' } },
      });
    });

    it('[API-004] pages a list by limit, cursor, filter and sort, at most 200 rows a page', async () => {
      const page = async (query: string) => (await get(`rows?${query}`)).body as unknown as { data: { n: number; done: boolean }[]; nextCursor: string | null };
      expect((await page('')).data).toHaveLength(50);
      expect((await page('limit=200')).data).toHaveLength(200);
      expect(await get('rows?limit=201')).toMatchObject(refused('/limit'));
      const seen: number[] = [];
      for (let cursor: string | null = ''; cursor !== null; ) {
        const { data, nextCursor }: Awaited<ReturnType<typeof page>> = await page(`limit=199&done=true&sort=-title${cursor && `&cursor=${cursor}`}`);
        expect(data.length).toBeLessThanOrEqual(199);
        seen.push(...data.map(({ n }) => n));
        cursor = nextCursor;
      }
      expect(seen).toEqual(Array.from({ length: 500 }, (_, n) => 998 - 2 * n));
    });

    it.each(['limit=201', 'limit=0', 'limit=-1', 'limit=1e2', 'limit=0x10', 'limit=5.0', 'limit=', 'limit=%205', 'limit=5&limit=6', 'minPosition=-1', 'minPosition=1.5',
      'minPosition=9223372036854775808', 'done=1', 'done=TRUE', 'done=', 'sort=secret', 'sort=--title', 'nobody=1'])('refuses %s', async (query) => {
      expect(await get(`list?${query}`)).toMatchObject(refused(`/${query.split('=')[0]}`));
    });
  });
});
