import { it } from '@jest/globals';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { startPostgres } from '../../libs/database/src/embedded-postgres';
import { ask, postmasterOf } from '../../libs/database/src/testing/embedded';
it('times', async () => {
  const out: string[] = [];
  const timed = async <T>(what: string, f: () => Promise<T>) => { const t = performance.now(); const r = await f(); out.push(`${what} ${Math.round(performance.now() - t)}`); return r; };
  for (const method of ['fsync', 'syncfs']) {
  const dataDir = mkdtempSync('/tmp/embedded-');
  const settings = { recovery_init_sync_method: method };
  let s = await timed('first start', () => startPostgres({ dataDir, settings }));
  await ask(s, 'CREATE TABLE facts (id int)');
  await timed('stop', () => s.stop());
  s = await timed('restart', () => startPostgres({ dataDir, settings }));
  rmSync(`${dataDir}/harness.lock`);
  s = await timed('take over', () => startPostgres({ dataDir, settings }));
  for (let i = 0; i < 20; i++) await ask(s, 'INSERT INTO facts VALUES (1)');
  process.kill(postmasterOf(dataDir), 'SIGKILL');
  await s.stop();
  s = await timed('after kill', () => startPostgres({ dataDir, settings }));
  await timed('stop', () => s.stop());
  out.push(readFileSync(`${dataDir}/postgres/postgres.log`, 'utf8').split('\n').slice(-20).join('\n'));
  rmSync(dataDir, { recursive: true });
  }
  process.stdout.write(out.join('\n'));
});
