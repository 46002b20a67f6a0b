import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Pool } from 'pg';
import { CheckpointFile, CheckpointSigner, Consumers, Leases, newEventId, PostgresEventStore, SigningKey, type NewEvent } from '@app/event-store';
import { governanceEvents } from '@app/governance';
import { intentEvents } from '@app/intents';
import { Catalogue } from '@app/kernel';
import { loadEvents } from '@app/load-guard';
import { AGENT_METRICS_CONSUMER, agentMetricsConsumer, checkpointAge, ClusterMetrics, ExportRight, migrateObservability, openDrifts } from '@app/observability';
import { runEvents } from '@app/runs';
import { testDatabase, type TestDatabase } from '../../../test/database';

/** Events exactly as the product writes them: the log refuses any other. */
const catalogue = new Catalogue(runEvents, governanceEvents, intentEvents, loadEvents);
const AT = '2030-01-01T10:00:00.000Z';

describe('Metrics counted from the log', () => {
  let database: TestDatabase;
  let pool: Pool;
  let store: PostgresEventStore;
  let consumers: Consumers;
  let right: ExportRight;
  let now = new Date(AT);

  beforeAll(async () => {
    database = await testDatabase();
    pool = new Pool({ ...database, max: 5 });
    pool.on('error', () => undefined);
    await migrateObservability(pool);
    store = await new PostgresEventStore({ connection: database, catalogue }).start();
    consumers = new Consumers(store, pool, new Leases(pool));
    consumers.subscribe(agentMetricsConsumer());
    right = new ExportRight(new Leases(pool));
  });
  afterAll(async () => {
    await right.stop();
    await consumers.stop();
    await store.close();
    await pool.end();
    await database.drop();
  });

  const append = async (streamId: string, ...events: NewEvent[]): Promise<void> => {
    const context = { actor: { kind: 'service' as const, id: 'test' }, siteId: 'site_a', now, correlationId: 'c', commandId: newEventId() };
    const result = await store.append([{ streamId, expected: 'any', events }], [], context);
    if (!result.ok) throw new Error(JSON.stringify(result));
  };
  const shown = async (metric: string): Promise<Record<string, number>> => {
    const last = await pool.query<{ position: string }>('SELECT coalesce(max(position), 0) AS position FROM es_event WHERE type = ANY($1)', [agentMetricsConsumer().filter?.types]);
    const head = BigInt(last.rows[0]!.position);
    for (const until = performance.now() + 30_000; performance.now() < until; await new Promise((turn) => setTimeout(turn, 10))) {
      const { rows } = await pool.query<{ position: string }>('SELECT position FROM es_consumer WHERE name = $1', [AGENT_METRICS_CONSUMER]);
      if (BigInt(rows[0]?.position ?? -1) >= head) break;
    }
    const text = await new ClusterMetrics({ pool, right, gauges: [openDrifts(pool), checkpointAge(pool, () => now)] }).exposition();
    const lines = text.split('\n').filter((line) => line.startsWith(`${metric} `) || line.startsWith(`${metric}{`));
    return Object.fromEntries(lines.map((line) => [line.slice(metric.length, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ') + 1))]));
  };

  it('[OBS-007] [OBS-008] sum estimated tokens and cost by provider and model', async () => {
    const used = (model: string, inputTokens: number, outputTokens: number, costUsd: number) => ({ type: 'LlmUsed', data: { provider: 'openai', model, inputTokens, outputTokens, costUsd } });
    await append('run-run_1', used('small', 100, 20, 0.25), used('small', 10, 3, 0.5));
    await append('run-run_2', used('large', 7, 0, 1.5));
    expect(await shown('lumibase_agent_tokens_total')).toEqual({ '{provider="openai",model="large"}': 7, '{provider="openai",model="small"}': 133 });
    expect(await shown('lumibase_agent_cost_usd_total')).toEqual({ '{provider="openai",model="large"}': 1.5, '{provider="openai",model="small"}': 0.75 });
  });

  it('[OBS-009] count dead-lettered jobs by queue', async () => {
    const dead = (queue: string) => ({ type: 'RunDeadLettered', data: { queue, jobId: 'job', attempts: 3, error: 'Gave up' } });
    await append('run-run_1', dead('agent-runs'));
    await append('run-run_2', dead('agent-runs'));
    expect(await shown('lumibase_agent_dead_letters_total')).toEqual({ '{queue="agent-runs"}': 2 });
  });

  it('[OBS-013] [OBS-014] count coalesced item writes and the refreshes that told of them', async () => {
    expect([await shown('lumibase_agent_coalesced_writes_total'), await shown('lumibase_agent_write_flushes_total')]).toEqual([{ '': 0 }, { '': 0 }]);
    await append('run-run_1', { type: 'WritesFlushed', data: { callId: 'call_1', collections: [{ collection: 'products', writes: 40 }, { collection: 'pages', writes: 2 }] } });
    await append('run-run_2', { type: 'WritesFlushed', data: { callId: 'call_1', collections: [{ collection: 'products', writes: 1 }] } });
    expect([await shown('lumibase_agent_coalesced_writes_total'), await shown('lumibase_agent_write_flushes_total')]).toEqual([{ '': 43 }, { '': 3 }]);
  });

  it('[OBS-015] count activations of backpressure', async () => {
    const signals = [{ signal: 'eventLoopDelayMs', valueMs: 400, thresholdMs: 200 }];
    const activation = (siteId: string) => ({ type: 'BackpressureActivated', data: { siteId, activation: 1, incidentId: 'inc_1', signals, holdDownMs: 60_000, at: AT } });
    for (const siteId of ['site_a', 'site_b']) await append(`load-${siteId}`, activation(siteId));
    await append('load-site_a', { type: 'BackpressureReleased', data: { activation: 1, calmSince: AT, at: AT } });
    expect(await shown('lumibase_agent_backpressure_activations_total')).toEqual({ '': 2 });
  });

  it('[OBS-016] count deferrals by the write budget, and no others', async () => {
    const deferred = (callId: string, reason: string, rule: string) => {
      const inputs = { capabilities: [], argumentProblems: [], pinnedFields: [], deferral: { reason, rule, retryAfterMs: 100 }, origin: 'user', approved: false, handled: true };
      return { type: 'ToolCallDeferred', data: { callId, tool: 'updateItem', arguments: {}, argumentsHash: '', actionDigest: '', governanceVersion: 1, inputs, reason, rule, retryAfterMs: 100 } };
    };
    await append('run-run_1', deferred('a', 'write_budget_exceeded', 'load_guard'), deferred('b', 'backpressure', 'load_guard'), deferred('c', 'write_budget_exceeded', 'load_guard'));
    expect(await shown('lumibase_agent_write_budget_denials_total')).toEqual({ '': 2 });
    expect(await shown('harness_door_decisions_total')).toEqual({ '{route="defer",reason="backpressure"}': 1, '{route="defer",reason="write_budget_exceeded"}': 2 });
  });

  it('[OBS-017] show the open drifts of each intent', async () => {
    const found = (fingerprint: string) => ({ type: 'DriftFound', data: { fingerprint, itemId: 'item_1', ruleType: 'required_fields', ruleKey: 'title', detail: 'No title', at: AT } });
    await append('intent-int_1', found('a'), found('b'), found('c'));
    await append('intent-int_2', found('a'));
    expect(await shown('lumibase_intent_open_drifts')).toEqual({ '{intent="int_1"}': 3, '{intent="int_2"}': 1 });
    await append('intent-int_1', { type: 'DriftResolved', data: { fingerprint: 'b', resolution: 'repaired', goalId: null, at: AT } });
    await append('intent-int_2', { type: 'IntentDeleted', data: { by: 'key_ada', at: AT } });
    expect(await shown('lumibase_intent_open_drifts')).toEqual({ '{intent="int_1"}': 2 });
  });

  it('[OBS-018] count trips of a breaker', async () => {
    await append('governance-site_a', { type: 'IntentBroken', data: { intentId: 'int_1', reason: 'three failures', incidentId: 'inc_1' } });
    await append('governance-site_a', { type: 'IntentPaused', data: { intentId: 'int_1', by: 'key_ada', reason: null } });
    expect(await shown('lumibase_intent_breaker_trips_total')).toEqual({ '': 1 });
  });

  it('[OBS-027] show the age of the checkpoint that was signed last', async () => {
    expect(await shown('harness_chain_checkpoint_age_seconds')).toEqual({});
    const directory = mkdtempSync(join(tmpdir(), 'harness-checkpoints-'));
    const signer = new CheckpointSigner({ pool, key: await SigningKey.of(directory), file: new CheckpointFile(directory), now: () => now });
    expect(await signer.sign()).not.toBeNull();
    now = new Date(now.getTime() + 90_500);
    expect(await shown('harness_chain_checkpoint_age_seconds')).toEqual({ '': 90.5 });
    await append('governance-site_a', { type: 'IntentResumed', data: { intentId: 'int_1', by: 'key_ada' } });
    expect(await signer.sign()).not.toBeNull();
    expect(await shown('harness_chain_checkpoint_age_seconds')).toEqual({ '': 0 });
    rmSync(directory, { recursive: true });
  });
});
