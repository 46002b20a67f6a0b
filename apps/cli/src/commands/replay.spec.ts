import { afterEach, describe, expect, it } from '@jest/globals';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { answers, streams } from '@app/sdk/testing';
import { against, closeServer, served } from '../testing/run-harness';

afterEach(closeServer);

const folder = mkdtempSync(join(tmpdir(), 'harness-cli-'));
const file = (name: string, document: unknown) => {
  const path = join(folder, name);
  writeFileSync(path, JSON.stringify(document));
  return path;
};

describe('harness replay', () => {
  const same = { ok: true, decisions: 9, differing: 0, mismatches: [], position: '40' };
  const other = {
    ok: false, decisions: 9, differing: 1, position: '40',
    mismatches: [{
      position: '31', streamId: 'run-run_1', version: 5, eventId: 'e31', type: 'ToolCallDenied', callId: 'call_7', detail: 'The same question gives another answer.',
      differences: [{ path: '/reason', recorded: 'frozen', replayed: 'capability_missing' }],
    }],
  };
  const replaying = (verdict: object) =>
    streams([`event: progress\ndata: {"position":"20","head":"40","decisions":4}\n\nevent: verdict\ndata: ${JSON.stringify(verdict)}\n\n`]);

  it('exits 0 when every decision is as recorded, with its progress beside the result', async () => {
    const { code, out, bars } = await against([replaying(same)], 'replay site --from 5 --json');
    expect({ code, out: JSON.parse(out) as unknown }).toEqual({ code: 0, out: same });
    expect(bars).toMatch(/Replaying =+ 100%/);
    expect(served().seen[0]?.path).toBe('/api/v1/agent/replay/verify?from=5');
  });

  it('exits 1 on a difference and names the event', async () => {
    const { code, out } = await against([replaying(other)], 'replay run run_1');
    expect(code).toBe(1);
    expect(out).toContain('#31 ToolCallDenied (event e31, call call_7)');
    expect(out).toContain('/reason: recorded "frozen", now "capability_missing"');
    expect(served().seen[0]?.path).toBe('/api/v1/agent/replay/verify?runId=run_1');
  });

  it('exits 1 when the replay ends without a verdict', async () => {
    expect(await against([streams([], 'end')], 'replay site')).toMatchObject({ code: 1, out: '' });
  });
});

describe('harness backtest', () => {
  const outcome = (decision: string, reason: string | null) => ({ decision, reason, rule: reason && 'dear', autonomy: 2, quorum: null, humanOnly: null });
  const difference = {
    event: { position: '31', eventId: 'e31', streamId: 'run-run_1', type: 'ToolCallAuthorised', occurredAt: '2030-01-01T00:00:00.000Z' },
    runId: 'run_1', callId: 'call_7', tool: 'updateItem', recorded: outcome('execute', null), candidate: outcome('deny', 'policy_denied'), link: '/api/v1/agent/runs/run_1/at?position=31',
  };
  const lines = [
    { progress: { position: '20', head: '40', examined: 4, differing: 0 } }, { difference }, { result: { examined: 9, differing: 1, position: '40' } },
  ].map((line) => `${JSON.stringify(line)}\n`);
  const rules = [{ name: 'dear', when: {}, then: { do: 'deny' } }];

  it('sends the rules of the files and prints the differing decisions', async () => {
    const { code, out, bars } = await against([streams(lines)], `backtest --policies ${file('rules.json', rules)} --to 40`);
    expect(code).toBe(0);
    expect(out).toContain('1 of 9 decisions would have been others.');
    expect(out).toMatch(/#31 +run_1 +call_7 +updateItem +execute +deny policy_denied by dear/);
    expect(bars).toMatch(/Examining =+ 100%/);
    expect(served().seen[0]?.body).toEqual({ candidate: { policies: rules }, to: '40' });
  });

  it('takes the document that the server answers with, and prints JSON', async () => {
    const { out } = await against([streams(lines)], `backtest --policies ${file('document.json', { rules })} --grants ${file('grants.json', { grants: [] })} --json`);
    expect(JSON.parse(out)).toEqual({ examined: 9, differing: 1, differences: [difference] });
    expect(served().seen[0]?.body).toEqual({ candidate: { policies: rules, grants: [] } });
  });

  it('exits 1 when the answer is cut, and 2 when there is nothing to try', async () => {
    expect(await against([streams(lines.slice(0, 2), 'end')], `backtest --policies ${file('rules.json', rules)}`)).toMatchObject({ code: 1, out: '' });
    expect(await against([streams([])], 'backtest')).toMatchObject({ code: 2 });
    expect(await against([streams([])], 'backtest --policies /nowhere.json')).toMatchObject({ code: 2 });
  });
});

describe('harness policy test', () => {
  const result = (name: string, differences: string[]) => ({ name, passed: differences.length === 0, differences });
  const cases = [{ tool: 'updateItem', expect: 'ask' }];

  it('exits 0 when all cases pass, and 1 when one fails', async () => {
    const passing = { passed: 1, failed: 0, results: [result('a', [])], faults: [], warnings: [] };
    expect(await against([answers(passing)], `policy test ${file('cases.json', cases)}`)).toMatchObject({ code: 0, out: 'ok   a\n1 passed, 0 failed\n' });
    expect(served().seen[0]?.body).toEqual({ cases });
    const failing = { passed: 0, failed: 1, results: [result('a', ['do: expected "ask", got "none"'])], faults: [], warnings: [] };
    const failed = await against([answers(failing)], `policy test ${file('suite.json', { cases, rules: [] })}`);
    expect(failed).toMatchObject({ code: 1, out: 'FAIL a\n     do: expected "ask", got "none"\n0 passed, 1 failed\n' });
    expect(served().seen[0]?.body).toEqual({ cases, rules: [] });
  });
});
