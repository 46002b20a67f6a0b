import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Pool } from 'pg';
import { testDatabase, type TestDatabase } from '../../../test/database';
import { MasterKey } from './keys/master-key';
import { migrateVault } from './migrate';
import { rotateMasterKey } from './rotate';
import { SecretUnavailable } from './secret-resolver';
import { OtherMasterKey, Vault } from './vault';

const SECRET = 'hunter2-and-more-of-it';

describe('The vault', () => {
  let database: TestDatabase;
  let pool: Pool;
  let master: MasterKey;
  let vault: Vault;
  const started = async (key = master, db = pool) => {
    const it = new Vault(db, key);
    await it.start();
    return it;
  };
  const keys = async () => (await pool.query<{ subject: string }>(`SELECT subject FROM vault_key WHERE subject NOT LIKE 'site:%' ORDER BY subject`)).rows.map(({ subject }) => subject);
  beforeAll(async () => {
    database = await testDatabase();
    pool = new Pool({ ...database, max: 10 });
    pool.on('error', () => undefined);
    await migrateVault(pool);
  });
  beforeEach(async () => {
    await pool.query('TRUNCATE vault_key, vault_secret, vault_master');
    master = MasterKey.generate();
    vault = await started();
  });
  afterAll(async () => {
    await pool.end();
    await database.drop();
  });

  it('gives a sealed value back exactly, in any process under the same master key', async () => {
    const value = { b: [1, 'x', null], a: { 'ü': SECRET } };
    const sealed = await vault.seal('call:run_1/call_1#a', 'site_a', value);
    expect(sealed).not.toContain('hunter2');
    expect(await (await started()).open('call:run_1/call_1#a', sealed)).toEqual({ ok: true, value });
    expect(await vault.open('call:run_1/call_1#a', await vault.seal('call:run_1/call_1#a', 'site_a', 7))).toEqual({ ok: true, value: 7 });
  });

  it('makes one key for a subject that many processes come to at once', async () => {
    const sealed = await Promise.all(Array.from({ length: 20 }, (_, nr) => vault.seal('s', 'site_a', nr)));
    expect(await Promise.all(sealed.map((each) => vault.open('s', each)))).toEqual(sealed.map((_, value) => ({ ok: true, value })));
    expect(await keys()).toEqual(['s']);
  });

  it('opens nothing whose key was destroyed, and nothing that was sealed for somebody else', async () => {
    const sealed = await vault.seal('s', 'site_a', SECRET);
    await vault.seal('t', 'site_a', SECRET);
    await expect(vault.open('t', sealed)).rejects.toThrow();
    await vault.destroy('s');
    expect(await vault.open('s', sealed)).toEqual({ ok: false, reason: 'gone' });
    expect(await keys()).toEqual(['t']);
  });

  it('destroys all keys below a name and none beside it', async () => {
    for (const subject of ['call:run_1/a#1', 'call:run_1/a#2', 'call:run_1/ab#1', 'call:run_1/b#1', 'call:run_10/a#1', 'call:runX1/a#1']) await vault.seal(subject, 'site_a', 1);
    expect(await vault.destroyBelow([])).toBe(0);
    expect(await vault.destroyBelow(['call:run_1/a#'])).toBe(2);
    expect(await keys()).toEqual(['call:runX1/a#1', 'call:run_1/ab#1', 'call:run_1/b#1', 'call:run_10/a#1']);
    expect(await vault.destroyBelow(['call:run_1/', 'call:run_9/'])).toBe(2);
    expect(await keys()).toEqual(['call:runX1/a#1', 'call:run_10/a#1']);
  });

  it('destroys together with the rest of a transaction, or not at all', async () => {
    await vault.seal('s', 'site_a', 1);
    const tx = await pool.connect();
    await tx.query('BEGIN');
    await vault.destroyBelow(['s'], tx);
    await tx.query('ROLLBACK');
    tx.release();
    expect(await keys()).toEqual(['s']);
  });

  it('refuses a database that was sealed with another master key, and says what to do', async () => {
    await expect(started(MasterKey.generate())).rejects.toThrow(OtherMasterKey);
    await expect(started(MasterKey.generate())).rejects.toThrow('HARNESS_MASTER_KEY');
    await expect(started()).resolves.toBeInstanceOf(Vault);
  });

  it('keeps secrets of a site under names, sealed, and gives none but to who resolves it', async () => {
    await vault.putSecrets('site_a', { stripe: SECRET, 'mail.key-1': 'two' });
    await vault.putSecrets('site_b', { stripe: 'of another site' });
    await vault.putSecrets('site_a', { 'mail.key-1': null, more: 'three', stripe: `${SECRET}!`, absent: null });
    expect(await vault.names('site_a')).toEqual(['more', 'stripe']);
    expect(await vault.resolve('site_a', 'secret://stripe')).toBe(`${SECRET}!`);
    expect(await (await started()).resolve('site_b', 'secret://stripe')).toBe('of another site');
    for (const wrong of ['secret://mail.key-1', 'secret://absent', 'stripe', 'secret://a b', 'secret://']) await expect(vault.resolve('site_a', wrong)).rejects.toThrow(SecretUnavailable);
    const { rows } = await pool.query<{ row: string }>('SELECT vault_secret::text AS row FROM vault_secret UNION ALL SELECT vault_key::text FROM vault_key');
    expect(rows.map(({ row }) => row).join()).not.toMatch(/hunter2|another/);
  });

  it('takes no secret from one name or site for that of another', async () => {
    await vault.putSecrets('site_a', { one: SECRET, two: 'x' });
    await pool.query(`UPDATE vault_secret SET sealed = (SELECT sealed FROM vault_secret WHERE name = 'one') WHERE name = 'two'`);
    await expect(vault.resolve('site_a', 'secret://two')).rejects.toThrow();
  });

  it('has one pepper for each site, the same in every process', async () => {
    const [a, again, b] = await Promise.all([vault.pepper('site_a'), (await started()).pepper('site_a'), vault.pepper('site_b')]);
    expect([a.length, a.equals(again), a.equals(b)]).toEqual([32, true, false]);
  });

  it('wraps every key anew for another master key and seals nothing anew', async () => {
    const subjects = Array.from({ length: 1_050 }, (_, nr) => `s${nr}`);
    await pool.query('INSERT INTO vault_key (subject, site_id, wrapped) SELECT * FROM unnest($1::text[], $2::text[], $3::bytea[])', [
      subjects, subjects.map(() => 'site_a'), subjects.map((subject) => master.wrap(Buffer.alloc(32, 1), subject)),
    ]);
    const sealed = await vault.seal('s1049', 'site_a', SECRET);
    await vault.putSecrets('site_a', { stripe: SECRET });
    const next = MasterKey.generate();
    await expect(rotateMasterKey(pool, MasterKey.generate(), next)).rejects.toThrow(OtherMasterKey);
    expect(await rotateMasterKey(pool, master, next)).toBe(1_051);
    expect(await rotateMasterKey(pool, master, next)).toBe(0);
    await expect(started()).rejects.toThrow(OtherMasterKey);
    await expect(vault.open('s1049', sealed)).rejects.toThrow();
    const after = await started(next);
    expect(await after.open('s1049', sealed)).toEqual({ ok: true, value: SECRET });
    expect(await after.resolve('site_a', 'secret://stripe')).toBe(SECRET);
  });
});
