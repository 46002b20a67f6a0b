import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Controller, HttpCode, Post } from '@nestjs/common';
import { testDatabase, type TestDatabase } from '../../../../test/database';
import { ProblemException } from '../problem';
import { migrateHttp } from './migrate';
import { OneTimeAnswer, withheld } from './one-time-answer';
import { post, startOrders, type OrderServer } from './orders.examples';

const SECRET = 'correct-horse-battery-staple';
const NOTICE = 'Shown in the first answer only, and not kept: secret.';

@Controller('orders/vouchers')
class Vouchers {
  @Post() @HttpCode(201) @OneTimeAnswer('secret') issue() { return { data: { id: 'v1', secret: SECRET }, position: '7' }; }
  @Post('spent') @HttpCode(200) @OneTimeAnswer('secret') spent() { return { data: withheld({ id: 'v1', secret: SECRET }, 'secret'), position: '7' }; }
  @Post('none') @HttpCode(200) @OneTimeAnswer('secret') none() { return { data: null, position: '7' }; }
  @Post('refused') @OneTimeAnswer('secret') refused() { throw new ProblemException(409, 'CONFLICT', 'No vouchers left.'); }
}

describe('A one-time answer', () => {
  let database: TestDatabase;
  let server: OrderServer;
  beforeAll(async () => {
    database = await testDatabase();
    server = await startOrders(database, 15_000, [Vouchers]);
    await migrateHttp(server.pool);
  });
  afterAll(async () => {
    await server.close();
    await database.drop();
  });

  const ask = async (path: string, key: string) => {
    const { status, text, replayed } = await post(server, key, { path: `/vouchers${path}`, body: {} });
    return { status, replayed, body: JSON.parse(text) as unknown };
  };

  it('shows its secret once, and says so to whoever repeats the request', async () => {
    expect(await ask('', 'once')).toEqual({ status: 201, replayed: null, body: { data: { id: 'v1', secret: SECRET }, position: '7' } });
    const again = { status: 201, replayed: 'true', body: { data: { id: 'v1', secret: null, notice: NOTICE }, position: '7' } };
    expect([await ask('', 'once'), await ask('', 'once')]).toEqual([again, again]);
  });

  it('shows it to one of many who ask at the same time', async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, () => ask('', 'together')));
    expect(answers.filter(({ body }) => JSON.stringify(body).includes(SECRET))).toHaveLength(1);
    expect(answers.filter(({ replayed }) => replayed === 'true')).toHaveLength(7);
  });

  it('leaves nothing of the secret in the database', async () => {
    await ask('', 'kept');
    const { rows } = await server.pool.query<{ row: string }>('SELECT t::text AS row FROM http_idempotency t');
    expect(rows.length).toBeGreaterThan(0);
    expect(rows.filter(({ row }) => row.includes(SECRET))).toEqual([]);
  });

  it('is the same when the handler itself has nothing left to show, and touches no answer without data', async () => {
    for (const replayed of [null, 'true'])
      expect(await ask('/spent', 'spent')).toEqual({ status: 200, replayed, body: { data: { id: 'v1', secret: null, notice: NOTICE }, position: '7' } });
    for (const replayed of [null, 'true']) expect(await ask('/none', 'none')).toEqual({ status: 200, replayed, body: { data: null, position: '7' } });
    for (const replayed of [null, 'true']) expect(await ask('/refused', 'refused')).toMatchObject({ status: 409, replayed, body: { code: 'CONFLICT' } });
  });
});
