import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { EffectiveTool } from '@app/governance/contract';
import { OutcomeUnknown, type CallContext } from '@app/tool-calls/contract';
import { MasterKey, migrateVault, Vault } from '@app/vault';
import { Pool } from 'pg';
import { testDatabase, type TestDatabase } from '../../../test/database';
import { Boxes } from './boxes';
import { CallWatch } from './call-watch';
import { migrateToolWorker } from './migrate';
import { WorkerCallTable } from './worker-call-table';
import { WorkerTools } from './worker-tools';

const tool = (leaseMs: number, more: Partial<EffectiveTool> = {}): EffectiveTool => ({ name: 'render', kind: 'worker', risk: 'write', worker: { leaseMs }, ...more }) as EffectiveTool;
const WORKER = { siteId: 'site_a', worker: 'key_worker' };

describe('Calls for workers', () => {
  let database: TestDatabase;
  let pool: Pool;
  let table: WorkerCallTable;
  let vault: Vault;
  const failures: unknown[] = [];

  /** What one server process has of its own. */
  const process = () => {
    const watch = new CallWatch({ table, everyMs: 10, onError: (error) => failures.push(error) });
    const boxes = new Boxes(vault);
    return { watch, boxes, tools: new WorkerTools({ table, watch, boxes, onError: (error) => failures.push(error) }) };
  };
  const call = (callId: string, signal = new AbortController().signal): CallContext => ({ context: { siteId: 'site_a' }, after: 0n, signal, runId: 'run_1', callId }) as CallContext;
  /** Polls as a worker does, until there is something. */
  const take = async (watch: CallWatch, leaseId: string) => {
    for (;;) {
      const taken = await table.take('site_a', ['render'], 'key_worker', leaseId);
      if (taken) return taken;
      await watch.offered('site_a', new Set(['render']), AbortSignal.timeout(10_000));
    }
  };
  const count = async () => (await pool.query('SELECT 1 FROM worker_call')).rowCount;

  beforeAll(async () => {
    database = await testDatabase();
    pool = new Pool({ host: database.host, port: database.port, user: database.user, database: database.database, max: 4 });
    pool.on('error', () => undefined);
    await migrateVault(pool as never);
    await migrateToolWorker(pool);
    table = new WorkerCallTable(pool);
    vault = new Vault(pool, MasterKey.generate());
  });
  afterEach(async () => {
    expect(failures.splice(0)).toEqual([]);
    await pool.query('DELETE FROM worker_call');
  });
  afterAll(async () => {
    await pool.end();
    await database.drop();
  });

  it('[EXT-003] are taken and answered through any process, and leave nothing behind', async () => {
    const [one, two] = [process(), process()];
    const running = one.tools.run(tool(60_000), { page: 'home' }, call('c1'));
    const taken = await take(two.watch, 'lease_1');
    expect([taken.callId, await two.boxes.open(taken, taken.input)]).toEqual(['c1', { ok: true, value: { page: 'home' } }]);
    expect(await table.settle({ ...WORKER, leaseId: 'lease_1' }, 'executed', await two.boxes.close(taken, 'site_a', { html: 1 }))).toEqual({ held: { runId: 'run_1', callId: 'c1' } });
    expect(await running).toEqual({ html: 1 });
    expect(await count()).toBe(0);
  });

  it('[EXT-005] are in doubt after a lost lease, or offered again when they may be repeated', async () => {
    const { tools, watch, boxes } = process();
    const doubtful = tools.run(tool(20), {}, call('write'));
    await take(watch, 'lease_2');
    await expect(doubtful).rejects.toBeInstanceOf(OutcomeUnknown);
    expect(await count()).toBe(0);
    for (const more of [{ risk: 'read' }, { idempotent: true }] as const) {
      const repeatable = tools.run(tool(20, more), {}, call('again'));
      await take(watch, `lease_first_${Object.keys(more)[0]!}`);
      const second = await take(watch, `lease_second_${Object.keys(more)[0]!}`);
      expect(second.callId).toBe('again');
      const first = { ...WORKER, leaseId: `lease_first_${Object.keys(more)[0]!}` };
      expect([await table.renew(first), await table.settle(first, 'executed', 'json:1')]).toEqual([undefined, undefined]);
      // A machine that is busy may lose this lease as well; whoever holds the last one answers.
      await pool.query(`UPDATE worker_call SET lease_ms = 60000, state = 'leased', lease_until = now() + interval '1 minute', lease_id = 'lease_last' WHERE call_id = 'again'`);
      await table.settle({ ...WORKER, leaseId: 'lease_last' }, 'executed', await boxes.close(second, 'site_a', 2));
      expect(await repeatable).toBe(2);
    }
  });

  it('tell a worker whose lease has ended from one that never had it', async () => {
    const { tools, watch } = process();
    const stop = new AbortController();
    const running = tools.run(tool(60_000), {}, call('late', stop.signal)).catch((error: Error) => error.message);
    await take(watch, 'lease_3');
    await pool.query(`UPDATE worker_call SET lease_until = now() - interval '1 second', repeatable = true`);
    expect(await table.renew({ ...WORKER, leaseId: 'lease_3' })).toBe('ended');
    expect(await table.renew({ ...WORKER, leaseId: 'lease_other' })).toBeUndefined();
    expect(await table.renew({ ...WORKER, siteId: 'site_b', leaseId: 'lease_3' })).toBeUndefined();
    stop.abort();
    expect(await running).toContain('time of the call was up');
  });

  it('go back to the others at once when a worker leaves', async () => {
    const { tools, watch, boxes } = process();
    const running = tools.run(tool(60_000), {}, call('left'));
    await take(watch, 'lease_4');
    await table.giveBack({ ...WORKER, leaseId: 'lease_4' });
    const taken = await take(watch, 'lease_5');
    await table.settle({ ...WORKER, leaseId: 'lease_5' }, 'failed', await boxes.close(taken, 'site_a', 'No'));
    await expect(running).rejects.toThrow('No');
  });

  it('of a process that is gone are offered to nobody, until another one runs them', async () => {
    const { tools, watch, boxes } = process();
    await table.offer({ runId: 'run_1', callId: 'orphan', siteId: 'site_a', tool: 'render', input: 'json:{"page":"old"}', leaseMs: 60_000, repeatable: true, waiter: 'gone' });
    await pool.query(`UPDATE worker_call SET wanted_until = now() - interval '1 second'`);
    expect([await table.take('site_a', ['render'], 'key_worker', 'lease_6'), await table.offers()]).toEqual([undefined, []]);
    const running = tools.run(tool(60_000), { page: 'old' }, call('orphan'));
    const taken = await take(watch, 'lease_7');
    await table.withdraw(taken, 'gone');
    expect(await count()).toBe(1);
    await table.settle({ ...WORKER, leaseId: 'lease_7' }, 'executed', await boxes.close(taken, 'site_a', 'done'));
    expect(await running).toBe('done');
  });

  it('lie sealed in the table when they hold secrets, and cannot be read once their key is destroyed', async () => {
    const { boxes } = process();
    const key = { runId: 'run_1', callId: 'secret' };
    const box = await boxes.close(key, 'site_a', { password: 'correct-horse' });
    expect(box).not.toContain('correct');
    expect(await boxes.open(key, box)).toEqual({ ok: true, value: { password: 'correct-horse' } });
    await vault.destroyBelow(['call:run_1/secret#']);
    expect(await boxes.open(key, box)).toEqual({ ok: false, reason: 'gone' });
    expect(await boxes.open(key, await boxes.close(key, 'site_a', undefined))).toEqual({ ok: true, value: null });
  });
});
