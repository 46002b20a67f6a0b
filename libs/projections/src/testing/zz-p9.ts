import { mkdirSync } from 'node:fs';
import { Client } from 'pg';
import { startPostgres } from '/work/main/libs/database/src/embedded-postgres.ts';
import { migrateLog } from '/work/main/libs/event-store/src/postgres/migrate.ts';
import { PostgresEventStore } from '@app/event-store';
import { migrateProjections } from '/work/main/libs/projections/src/migrate.ts';
import { ProjectionsRuntime } from '/work/main/libs/projections/src/runtime/runtime.ts';
import { ProjectionsControl } from '/work/main/libs/projections/src/control.ts';
import { tasks, load, activity, catalogue } from '/work/main/libs/projections/src/testing/tasks.ts';
import { shapeOf } from '/work/main/libs/projections/src/table/shape.ts';
import { createTable, createIndexes } from '/work/main/libs/projections/src/table/ddl.ts';
const N = Number(process.argv[2] ?? 1_000_000);
const dataDir = '/tmp/pb/data'; mkdirSync(dataDir, { recursive: true });
const server = await startPostgres({ dataDir, settings: { shared_buffers: '512MB', max_wal_size: '4GB', max_connections: '100' } });
const base = { host: server.host, port: server.port, user: server.user };
const admin = new Client({ ...base, database: 'postgres' }); await admin.connect();
const database = `p9_${N}`;
const exists = (await admin.query('select 1 from pg_database where datname=$1', [database])).rowCount;
if (!exists) await admin.query(`create database ${database}`);
await admin.end();
const connection = { ...base, database };
const c = new Client(connection); await c.connect();
if (!exists) await migrateLog(c);
await migrateProjections(c); const dd = (await c.query('show data_directory')).rows[0].data_directory;
const store = await new PostgresEventStore({ connection, catalogue }).start();
const ctx = (i: number) => ({ actor: { kind: 'human' as const, id: 'ada' }, siteId: `site-${i % 10}`, now: new Date(), correlationId: 'corr-1', commandId: `c${i}` });
if ((await store.head()) < BigInt(N)) {
  const t = performance.now();
  for (let i = 0; i < N / 4; i += 250) {
    const r = await store.append(Array.from({ length: 250 }, (_, k) => ({ streamId: `task-${String(i + k).padStart(8, '0')}`, expected: 'any' as const, events: [
      { type: 'TaskOpened', data: { title: `Task number ${i + k}`, tags: ['a', 'bb', 'ccc'], size: k } }, { type: 'TaskAssigned', data: { to: `person-${(i + k) % 1000}` } },
      { type: 'TaskMeasured', data: { size: k / 3, details: { a: k, text: 'some words about it '.repeat(5), list: [1, 2, 3] } } }, { type: 'TaskAssigned', data: { to: null } }] })), [], ctx(i));
    if (!r.ok) throw new Error(JSON.stringify(r));
  }
  console.log('seeded', (performance.now() - t) / 1000);
}
const extra = process.argv[3] ? Number(process.argv[3]) : 0;
const ALL = [tasks, load, activity, ...Array.from({ length: extra }, (_, i) => ({ ...tasks, name: `copy${i}` }))] as never[];
{ const t = performance.now(); let n = 0; for await (const page of store.readAll(0n, { pageSize: 5000 })) n += page.length; console.log('read only', Math.round(n / (performance.now() - t) * 1000), 'ev/s'); }
import { readdirSync, readFileSync } from 'node:fs';
const pgCpu = () => { const m = new Map<string, number>(); for (const pid of readdirSync('/proc')) { if (!/^\d+$/.test(pid)) continue; try { const cmd = readFileSync(`/proc/${pid}/cmdline`, 'utf8'); if (!cmd.includes(database)) { if (!/postgres: (checkpointer|background writer|walwriter)/.test(cmd)) continue; } const f = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' '); m.set(pid + ' ' + cmd.replace(/\0/g, ' ').trim().slice(0, 60), (Number(f[11]) + Number(f[12])) / 100); } catch {} } return m; };
const control = new ProjectionsControl({ connection, store, projections: ALL });
const runtime = new ProjectionsRuntime({ connection, store, projections: ALL, onError: (e) => console.log('ERR', e), onAlarm: (a) => console.log('ALARM', a) });
const t0 = performance.now();
await runtime.start();
const done = async () => (await control.status()).every((s) => s.state === 'live' && s.lagEvents === 0n);
if (!(await done())) { while (!(await done())) await new Promise((r) => setTimeout(r, 50)); console.log('first build (direct)', Math.round(N / (performance.now() - t0) * 1000), 'ev/s', ((performance.now() - t0) / 1000).toFixed(1)); }
for (let round = 0; round < Number(process.argv[4] ?? 2); round++) {
  const cpu = process.cpuUsage(); const pg0 = pgCpu(); const t = performance.now();
  await control.rebuildAll();
  while (!(await done())) await new Promise((r) => setTimeout(r, 50));
  const s = (performance.now() - t) / 1000; const u = process.cpuUsage(cpu);
  console.log('rebuildAll', Math.round(N / s), 'ev/s', s.toFixed(1), 's', 'node cpu', ((u.user + u.system) / 1e6 / s).toFixed(2), 'rss', Math.round(process.memoryUsage().rss / 1e6));
  for (const [k, v] of pgCpu()) { const d = v - (pg0.get(k) ?? 0); if (d > 0.3) console.log('   pg cpu', d.toFixed(1), k); } console.log('   node cpu s', ((u.user + u.system) / 1e6).toFixed(1));
  const pgc = pgCpu();
  // COPY of the same rows into the same tables (key and indexes there)
  let copy = 0;
  for (const p of ALL as { name: string }[]) {
    await c.query(`copy (select * from ${p.name}) to '${dd}/${p.name}.copy'`);
    for (const mode of ['indexed', 'after']) {
      const shape = shapeOf(p as never);
      await c.query(`drop table if exists cp`); await c.query(createTable(shape, 'cp', 'cp', 1));
      if (mode === 'indexed') for (const sql of createIndexes(shape, 'cp', 'cp', 1)) await c.query(sql);
      const t1 = performance.now();
      await c.query(`copy cp from '${dd}/${p.name}.copy'`);
      if (mode === 'after') for (const sql of createIndexes(shape, 'cp', 'cp', 1)) await c.query(sql);
      const dt = (performance.now() - t1) / 1000; if (mode === 'after') copy += dt;
      console.log('  copy', p.name, mode, dt.toFixed(2), 's');
    }
  }
  for (const [k, v] of pgCpu()) { const d = v - (pgc.get(k) ?? 0); if (d > 0.3) console.log('   copy pg cpu', d.toFixed(1), k); }
  console.log('  COPY total (indexes after)', copy.toFixed(1), 's => ratio', (copy / s).toFixed(2));
}
await runtime.stop(); await control.close(); await store.close(); await c.end();
if (process.argv[5]) await server.stop();
