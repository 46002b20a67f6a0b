import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureProgram, PROMETHEUS } from '../debian-program';
import { eventually } from './eventually';
import { jobs } from './jobs';
import { scrape, type Scrape } from './scraped';
import type { Body } from './server';

const freePort = async (): Promise<number> => {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  await new Promise((closed) => probe.close(closed));
  return port;
};

describe('The metrics of a server', () => {
  const { server, agent, reviewer, open } = jobs();
  const url = () => server().url;
  /** Counting follows the log; what happened before this call is in the scrape. */
  const counted = async (isThere: (now: Scrape) => boolean): Promise<Scrape> => eventually(() => scrape(url()), isThere);

  it('[OBS-002] [OBS-003] count ended runs by agent, status and stop reason, and time tool calls by tool and status', async () => {
    const done = await open({ agentName: 'metered' });
    for (const word of ['one', 'two']) expect((await done.call('note', { word })).data.status).toBe('executed');
    expect((await done.call('breakThings')).data.status).toBe('failed');
    expect((await done.call('waitForever')).data.status).toBe('failed');
    await agent()('POST', `agent/runs/${done.runId}/complete`, {});
    const given = await open({ agentName: 'metered' });
    await agent()('POST', `agent/runs/${given.runId}/cancel`, {});
    await open({ agentName: 'still running' });

    const now = await counted(({ of }) => Object.keys(of('lumibase_agent_runs_total')).filter((series) => series.includes('"metered"')).length === 2);
    const runs = now.of('lumibase_agent_runs_total');
    expect(runs['lumibase_agent_runs_total{agent="metered",status="succeeded",stop_reason="completed"}']).toBe(1);
    expect(Object.entries(runs).filter(([series]) => series.includes('agent="metered",status="cancelled"')).map(([, value]) => value)).toEqual([1]);
    expect(Object.keys(runs).join()).not.toContain('still running');
    const latency = (tool: string, status: string, part: string) => now.value(`lumibase_agent_tool_latency_seconds_${part}{tool="${tool}",status="${status}"}`);
    expect([latency('note', 'succeeded', 'count'), latency('breakThings', 'failed', 'count'), latency('waitForever', 'timeout', 'count')]).toEqual([2, 1, 1]);
    expect(latency('waitForever', 'timeout', 'sum')).toBeGreaterThan(0.03);
    expect(latency('note', 'succeeded', 'sum')).toBeLessThan(5);
  });

  it('[OBS-004] [OBS-005] [OBS-025] count approvals by outcome, time them, and count every decision of the door by route and reason', async () => {
    const before = await scrape(url());
    const job = await open();
    const park = async (): Promise<Body> => (await job.call('deleteItem', { collection: 'products', id: await newId() })).data;
    const newId = async (): Promise<string> => (await job.call('createItem', { collection: 'products', data: { sku: 'M', title: 'Metered' } })).data.result.id;
    const parked: Body[] = [await park(), await park(), await park(), await park()];
    expect(parked.map(({ status }) => status as string)).toEqual(Array(4).fill('pending_approval'));
    const decisions = [{ decision: 'approved' }, { decision: 'rejected', reason: 'Still sold' }, { decision: 'changes_requested', reason: 'Archive it' }];
    for (const [at, decision] of decisions.entries()) {
      const { approvalId, actionDigest } = parked[at]!;
      expect((await reviewer()('POST', `agent/approvals/${approvalId}/decide`, { ...decision, actionDigest })).status).toBe(200);
    }
    expect((await job.call('note', { word: 7 })).data.reason).toBe('invalid_arguments');
    expect((await job.call('nothingLikeIt')).data.reason).toBe('tool_not_registered');
    await agent()('POST', `agent/runs/${job.runId}/cancel`, {});

    const by = (now: Scrape, series: string) => (now.value(series) ?? 0) - (before.value(series) ?? 0);
    const approvals = (now: Scrape) => ['approved', 'rejected', 'changes_requested', 'superseded'].map((status) => by(now, `lumibase_agent_approvals_total{subject_type="tool_call",status="${status}"}`));
    const now = await counted((seen) => approvals(seen).at(-1) === 1);
    expect(approvals(now)).toEqual([1, 1, 1, 1]);
    const latency = 'lumibase_agent_approval_latency_seconds';
    expect(by(now, `${latency}_count{subject_type="tool_call"}`)).toBe(3);
    expect(by(now, `${latency}_bucket{subject_type="tool_call",le="60"}`)).toBe(3);
    const door = (route: string, reason: string) => by(now, `harness_door_decisions_total{route="${route}",reason="${reason}"}`);
    expect([door('ask', 'dangerous_tool'), door('execute', 'autonomy'), door('execute', 'approved')]).toEqual([4, 4, 1]);
    expect([door('deny', 'invalid_arguments'), door('deny', 'tool_not_registered')]).toEqual([1, 1]);
  });

  it('[OBS-020] [OBS-021] [OBS-022] [OBS-028] show the connection pool, appends, the events of a commit, and the delay of the event loop', async () => {
    const before = await scrape(url());
    for (let n = 0; n < 5; n++) await open();
    const events = await server().head();
    const now = await scrape(url());
    const by = (series: string) => now.value(series)! - before.value(series)!;
    expect(by('harness_append_seconds_count')).toBeGreaterThanOrEqual(5);
    expect(by('harness_append_seconds_sum')).toBeGreaterThan(0);
    expect(by('harness_append_seconds_sum') / by('harness_append_seconds_count')).toBeLessThan(5);
    expect(by('harness_append_batch_events_count')).toBeGreaterThanOrEqual(5);
    // A single process wrote the whole log, so its batches hold all of it.
    expect(now.value('harness_append_batch_events_sum')).toBe(Number(events));
    expect(now.value('lumibase_db_pool_active')! + now.value('lumibase_db_pool_idle')!).toBeGreaterThan(0);
    const delay = now.of('harness_event_loop_delay_seconds');
    expect(Object.keys(delay).map((series) => /stat="(\w+)"/.exec(series)![1])).toEqual(['mean', 'p50', 'p99', 'max']);
    for (const seconds of Object.values(delay)) expect(seconds).toBeLessThan(30);
  });

  it('[OBS-023] show how far each read model is behind, in events and in seconds', async () => {
    const lag = async (name: string) => {
      const now = await scrape(url());
      return ['events', 'seconds'].map((unit) => now.value(`harness_projection_lag_${unit}{projection="${name}"}`));
    };
    expect(await eventually(() => lag('items'), ([events]) => events === 0)).toEqual([0, 0]);
    await server().admin('POST', 'ops/projections/items/pause', {});
    const behind = Number(await server().head());
    for (let n = 0; n < 3; n++) await open();
    const missed = Number(await server().head()) - behind;
    expect((await lag('items'))[0]).toBe(missed);
    expect((await eventually(() => lag('items'), ([, seconds]) => seconds! > 0.5))[1]).toBeGreaterThan(0.5);
    await server().admin('POST', 'ops/projections/items/resume', {});
    expect(await eventually(() => lag('items'), ([events]) => events === 0)).toEqual([0, 0]);
    const names = (await server().admin('GET', 'ops/projections')).body.data.map(({ name }: Body) => name as string) as string[];
    const shown = Object.keys((await scrape(url())).of('harness_projection_lag_events'));
    expect(shown.map((series) => /projection="([^"]+)"/.exec(series)![1]).sort()).toEqual([...names].sort());
  });

  it('are nobody else\'s when the server is reached by another name or through a proxy, except with the key of a platform admin', async () => {
    const status = async (headers: Record<string, string>) => (await fetch(`${url()}/metrics`, { headers })).status;
    const proxied = { 'x-forwarded-for': '203.0.113.7' };
    expect(await status({})).toBe(200);
    expect(await status(proxied)).toBe(401);
    expect(await status({ ...proxied, authorization: `Bearer ${agent().key}` })).toBe(401);
    expect(await status({ ...proxied, authorization: `Bearer ${server().admin.key}` })).toBe(200);
    // An admin of one site is not one of the installation: the metrics tell the names of agents of all.
    const other = (await server().admin('POST', 'sites', { name: 'Other' })).body.data as { adminKey: string };
    expect(await status({ ...proxied, authorization: `Bearer ${other.adminKey}` })).toBe(401);
  });

  describe('to a real Prometheus', () => {
    const folder = mkdtempSync(join(tmpdir(), 'harness-prometheus-'));
    let prometheus: ChildProcess;
    let base: string;

    beforeAll(async () => {
      await ensureProgram(PROMETHEUS);
      const port = await freePort();
      base = `http://127.0.0.1:${port}`;
      const config = { global: { scrape_interval: '1s', scrape_timeout: '1s' }, scrape_configs: [{ job_name: 'harness', static_configs: [{ targets: [new URL(url()).host] }] }] };
      writeFileSync(join(folder, 'prometheus.yml'), JSON.stringify(config));
      prometheus = spawn('prometheus', [`--config.file=${folder}/prometheus.yml`, `--storage.tsdb.path=${folder}/data`, `--web.listen-address=127.0.0.1:${port}`], { stdio: 'ignore' });
    });
    afterAll(async () => {
      const ended = once(prometheus, 'exit');
      prometheus.kill('SIGTERM');
      await ended;
      rmSync(folder, { recursive: true, force: true });
    });

    const ask = async (path: string): Promise<Body> => fetch(`${base}/api/v1/${path}`).then((answer) => (answer.ok ? (answer.json() as Promise<Body>) : undefined), () => undefined);

    it('[OBS-001] are a scrape without an error, and in good form', async () => {
      const target = async (): Promise<Body> => (await ask('targets'))?.data.activeTargets[0];
      const scraped = await eventually(target, (found) => found !== undefined && found.health !== 'unknown', 40_000);
      expect([scraped.health, scraped.lastError]).toEqual(['up', '']);
      const value = async (query: string) => Number((await ask(`query?query=${encodeURIComponent(query)}`))?.data.result[0]?.value[1]);
      expect(await eventually(() => value('sum(harness_append_seconds_count)'), (count) => count > 0)).toBeGreaterThan(0);
      expect(await eventually(() => value('sum(lumibase_agent_runs_total)'), (count) => count > 0)).toBeGreaterThan(0);
      expect(await value('up')).toBe(1);
      const checked = execFileSync('promtool', ['check', 'metrics'], { input: (await scrape(url())).text, encoding: 'utf8', stdio: 'pipe' });
      expect(checked).toBe('');
    });
  });
});
