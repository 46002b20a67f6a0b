import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Pool } from 'pg';
import { Consumers, Leases, newEventId, PostgresEventStore, type NewEvent } from '@app/event-store';
import { Catalogue, eventFamily } from '@app/kernel';
import { z } from 'zod';
import { testDatabase, type TestDatabase } from '../../../../test/database';
import { AGENT_METRICS_CONSUMER, agentMetricsConsumer } from './agent-metrics-consumer';
import { ClusterMetrics } from './cluster-metrics';
import { ExportRight } from './export-right';
import { openDrifts } from './gauges';
import { migrateObservability } from './migrate';

const open = z.record(z.string(), z.json());
const catalogue = new Catalogue(
  eventFamily('run', { RunStarted: open, RunSucceeded: open, RunFailed: open, ToolCallAuthorised: open, ToolCallSucceeded: open }),
  eventFamily('intent', { DriftFound: open, DriftResolved: open, IntentDeleted: open, IntentBroken: open }),
  eventFamily('load', { BackpressureActivated: open }),
  eventFamily('artifact', { ArtifactEvaluated: open }),
);

describe('Counting the log', () => {
  let database: TestDatabase;
  let pool: Pool;
  let store: PostgresEventStore;
  const stops: (() => Promise<unknown>)[] = [];

  beforeAll(async () => {
    database = await testDatabase();
    pool = new Pool({ ...database, max: 10 });
    pool.on('error', () => undefined);
    await migrateObservability(pool);
    await migrateObservability(pool);
    store = await new PostgresEventStore({ connection: database, catalogue }).start();
  });
  afterAll(async () => {
    for (const stop of stops.reverse()) await stop();
    await store.close();
    await pool.end();
    await database.drop();
  });

  const append = async (streamId: string, ...events: NewEvent[]) => {
    const result = await store.append([{ streamId, expected: 'any', events }], [], {
      actor: { kind: 'service', id: 'test' }, siteId: 'site_a', now: new Date(), correlationId: 'c', commandId: newEventId(),
    });
    if (!result.ok) throw new Error(JSON.stringify(result));
    return result.position;
  };
  const member = () => {
    const consumers = new Consumers(store, pool, new Leases(pool, { ttlMs: 1_000 }));
    const subscription = consumers.subscribe(agentMetricsConsumer());
    stops.push(() => consumers.stop());
    return { subscription, stop: () => consumers.stop() };
  };
  const reached = async (position: bigint) => {
    for (const until = performance.now() + 30_000; ; ) {
      const { rows } = await pool.query<{ position: string }>('SELECT position FROM es_consumer WHERE name = $1', [AGENT_METRICS_CONSUMER]);
      if (BigInt(rows[0]?.position ?? -1) >= position || performance.now() > until) return;
      await new Promise((turn) => setTimeout(turn, 10));
    }
  };
  const right = new Map<string, ExportRight>();
  const scrape = async (name = 'one') => {
    const held = right.get(name) ?? new ExportRight(new Leases(pool, { ttlMs: 1_500 }));
    if (!right.has(name)) stops.push(() => held.stop());
    right.set(name, held);
    return new ClusterMetrics({ pool, right: held, gauges: [openDrifts(pool)] }).exposition();
  };
  const valueOf = (text: string, series: string) => Number(text.split('\n').find((line) => line.startsWith(`${series} `))?.split(' ').at(-1) ?? NaN);

  it('counts every event once, also when the process that counts is replaced', async () => {
    const first = member();
    for (let run = 1; run <= 20; run++) {
      await append(`run-run_${run}`, { type: 'RunStarted', data: { agentName: 'robot' } });
      await append(`run-run_${run}`, { type: 'RunSucceeded', data: { stopReason: 'completed' } });
      if (run === 7) await first.stop();
      if (run === 7) member();
    }
    member();
    await reached(40n);
    expect(valueOf(await scrape(), 'lumibase_agent_runs_total{agent="robot",status="succeeded",stop_reason="completed"}')).toBe(20);
    expect((await pool.query('SELECT 1 FROM metric_subject')).rowCount).toBe(0);
  });

  it('knows a run from an earlier batch and within the same one', async () => {
    await append('run-a', { type: 'RunStarted', data: { agentName: 'a' } }, { type: 'ToolCallAuthorised', data: { callId: 'c1', tool: 'write', autonomy: 2 } });
    await reached(await append('run-a', { type: 'ToolCallSucceeded', data: { callId: 'c1', runtimeMs: 20 } }));
    await reached(await append('run-a', { type: 'RunFailed', data: {} }, { type: 'RunStarted', data: { agentName: 'b' } }, { type: 'RunFailed', data: { stopReason: 'frozen' } }));
    const text = await scrape();
    expect(valueOf(text, 'lumibase_agent_tool_latency_seconds_bucket{tool="write",status="succeeded",le="0.01"}')).toBe(0);
    expect(valueOf(text, 'lumibase_agent_tool_latency_seconds_bucket{tool="write",status="succeeded",le="0.025"}')).toBe(1);
    expect(valueOf(text, 'lumibase_agent_tool_latency_seconds_sum{tool="write",status="succeeded"}')).toBe(0.02);
    expect(valueOf(text, 'lumibase_agent_runs_total{agent="a",status="failed",stop_reason="none"}')).toBe(1);
    expect(valueOf(text, 'lumibase_agent_runs_total{agent="b",status="failed",stop_reason="frozen"}')).toBe(1);
  });

  it('shows a gauge of what is open, and counters of what happened', async () => {
    const drift = (type: string, fingerprint: string) => ({ type, data: { fingerprint } });
    await append('intent-int_1', drift('DriftFound', 'a'), drift('DriftFound', 'b'), drift('DriftFound', 'c'), drift('DriftResolved', 'b'));
    await append('intent-int_2', drift('DriftFound', 'a'));
    await append('intent-int_2', { type: 'IntentDeleted', data: {} });
    await append('artifact-art_1', { type: 'ArtifactEvaluated', data: { type: 'brand', status: 'passed' } });
    await append('load-site_a', { type: 'BackpressureActivated', data: {} });
    await reached(await append('intent-int_1', { type: 'IntentBroken', data: {} }));
    const text = await scrape();
    expect(text.match(/^lumibase_intent_open_drifts\{.*/gm)).toEqual(['lumibase_intent_open_drifts{intent="int_1"} 2']);
    expect(valueOf(text, 'lumibase_intent_breaker_trips_total')).toBe(1);
    expect(valueOf(text, 'lumibase_agent_evaluations_total{type="brand",status="passed"}')).toBe(1);
    expect(valueOf(text, 'lumibase_agent_backpressure_activations_total')).toBe(1);
    expect(valueOf(text, 'lumibase_agent_vetoes_total')).toBe(0);
  });

  it('[OBS-029] adds only a capped number of series for 10 000 distinct names of tools and agents', async () => {
    const before = (await scrape()).split('\n').length;
    let last = 0n;
    for (let from = 0; from < 10_000; from += 250) {
      const runs = Array.from({ length: 250 }, (_, i) => from + i);
      const positions = await Promise.all(runs.map((n) => append(
        `run-many_${n}`,
        { type: 'RunStarted', data: { agentName: `agent ${n}` } }, { type: 'ToolCallAuthorised', data: { callId: 'c', tool: `tool_${n}`, autonomy: 2 } },
        { type: 'ToolCallSucceeded', data: { callId: 'c', runtimeMs: 1 } }, { type: 'RunSucceeded', data: { stopReason: 'completed' } },
      )));
      last = positions.reduce((max, position) => (position > max ? position : max), last);
    }
    await reached(last);
    const text = await scrape();
    // 100 names of each label: one line per agent, and 16 per tool (14 buckets, sum and count); and one series of each for all others.
    expect(text.split('\n').length - before).toBeLessThanOrEqual(101 * (1 + 16));
    const sum = (pattern: RegExp) => text.split('\n').filter((line) => pattern.test(line)).reduce((total, line) => total + Number(line.split(' ').at(-1)), 0);
    expect(sum(/^lumibase_agent_runs_total\{agent="(agent \d+|other)",status="succeeded"/)).toBe(10_000);
    expect(sum(/^lumibase_agent_tool_latency_seconds_count\{tool="(tool_\d+|other)"/)).toBe(10_000);
    expect(sum(/^lumibase_agent_runs_total\{agent="other"/)).toBeGreaterThan(9_800);
  }, 120_000);

  it('is shown by one process at a time, and by another one soon after it is gone', async () => {
    expect(await scrape('one')).not.toBe('');
    expect(await Promise.all([scrape('two'), scrape('two'), scrape('three')])).toEqual(['', '', '']);
    await right.get('one')!.stop();
    const taken = await Promise.all([scrape('two'), scrape('two')]);
    expect(taken.map((text) => text !== '')).toEqual([true, true]);
    expect(await scrape('three')).toBe('');
    // As after a kill: nobody gives the lease back, it runs out.
    await pool.query(`UPDATE es_consumer SET expires_at = '-infinity' WHERE name = 'metrics-export'`);
    expect(await scrape('three')).not.toBe('');
    expect(await scrape('two')).toBe('');
  });
});
