import { describe, expect, it } from '@jest/globals';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { builtCheckout, CommandLine } from './command-line';
import { jobs } from './jobs';
import type { Api, Body } from './server';

const deny = (name: string, when: Body = { tool: 'note' }) => ({ name, when, then: { do: 'deny' } });

describe('Policies', () => {
  const { server, agent, open, eventsOf } = jobs();
  const admin = (...call: Parameters<Api>) => server().admin(...call);
  const put = (rules: Body[]) => admin('PUT', 'agent/policies', { rules });
  const get = async () => (await admin('GET', 'agent/policies')).body.data as Body;
  const note = async (word: string, more: Body = {}) => (await (await open(more)).call('note', { word })).data as Body;

  it('[POLICY-001] are read and replaced as one ordered list', async () => {
    expect(await get()).toMatchObject({ rules: [], warnings: [] });
    const rules = [
      { name: 'big', reason: 'Ask first', when: { tool: 'updateItem', arguments: [{ path: '/data/price', gt: 100 }] }, then: { do: 'ask' }, mode: 'enforce' },
      { name: 'calm', when: { role: ['Writer', 'SEO'] }, then: { do: 'capLevel', level: 1 }, mode: 'shadow' },
    ];
    const answer = await put(rules);
    expect([answer.status, answer.body.data.rules]).toEqual([200, rules]);
    expect((await get()).rules).toEqual(rules);
    expect((await put(rules.toReversed())).body.data.rules).toEqual(rules.toReversed());
    expect((await put([deny('only')])).body.data.rules).toEqual([{ ...deny('only'), mode: 'enforce' }]);
    await put([]);
  });

  it('[POLICY-008] are versioned with the governance stream, and a decision names the version it was taken on', async () => {
    const versions: number[] = [];
    for (const rules of [[deny('a')], [deny('b')], []]) {
      const { governanceVersion } = (await put(rules)).body.data;
      versions.push(governanceVersion as number);
      expect((await put(rules)).body.data.governanceVersion).toBe(governanceVersion);
      const answer = await note('version');
      expect([answer.governanceVersion, answer.rule]).toEqual([governanceVersion, rules[0]?.name]);
    }
    expect(versions).toEqual([versions[0]!, versions[0]! + 1, versions[0]! + 2]);
    const { version } = (await server().pool.query<Body>(`SELECT max(version)::int AS version FROM es_event WHERE stream_id = 'governance-site_demo'`)).rows[0];
    expect(version).toBe(versions[2]);
  });

  it('[POLICY-004] apply in order, and the decision names the rule that decided', async () => {
    const allow = { name: 'yes', when: { tool: 'note', arguments: [{ path: '/word', eq: 'fine' }] }, then: { do: 'allow' } };
    await put([allow, deny('no', { tool: 'note' })]);
    expect(await note('fine')).toMatchObject({ status: 'executed' });
    expect(await note('else')).toMatchObject({ status: 'denied', reason: 'policy_denied', rule: 'no' });
    await put([deny('no', { tool: 'note', arguments: [{ path: '/word', matches: '^f' }] }), allow]);
    const { call, runId } = await open();
    expect((await call('note', { word: 'fine' })).data).toMatchObject({ status: 'denied', rule: 'no' });
    expect((await eventsOf(runId)).at(-1)).toMatchObject({ type: 'ToolCallDenied', data: { rule: 'no', reason: 'policy_denied' } });
    await put([]);
  });

  it('deny, run and ask over HTTP', async () => {
    await put([
      deny('never', { tool: 'note', arguments: [{ path: '/word', eq: 'bad' }] }), { name: 'check', when: { tool: 'note' }, then: { do: 'ask' } },
      { name: 'go on', when: { tool: 'deleteItem' }, then: { do: 'allow' } },
    ]);
    const { call } = await open();
    const id = (await call('createItem', { collection: 'products', data: { sku: 'P', title: 'P' } })).data.result.id as string;
    expect((await call('note', { word: 'bad' })).data).toMatchObject({ status: 'denied', rule: 'never' });
    expect((await call('deleteItem', { collection: 'products', id })).data).toMatchObject({ status: 'executed' });
    const asked = (await call('note', { word: 'good' })).data;
    expect(asked).toMatchObject({ status: 'pending_approval' });
    expect((await admin('GET', `agent/approvals/${asked.approvalId as string}`)).body.data.policy).toBe('check');
    await put([]);
  });

  it('[POLICY-005] in shadow mode are evaluated and recorded, and decide nothing', async () => {
    await put([{ ...deny('one day'), mode: 'shadow' }]);
    const { call, runId } = await open();
    expect((await call('note', { word: 'shadow' })).data.status).toBe('executed');
    expect((await eventsOf(runId)).find(({ type }) => type === 'ToolCallAuthorised')).toMatchObject({ data: { policy: null, shadow: [{ rule: 'one day', then: { do: 'deny' } }] } });
    await put([]);
  });

  it.each([
    ['a name twice', [deny('a'), deny('a', { tool: 'getItem' })], '/rules/1/name'],
    ['a rule behind one that decides everything', [deny('all', {}), deny('b')], '/rules/1'],
    ['a rule behind a wider one', [deny('both', { tool: ['note', 'getItem'] }), deny('b', { tool: 'note', risk: 'read' })], '/rules/1'],
    ['a pattern without a linear-time meaning', [deny('a', { arguments: [{ path: '/word', matches: '(a)\\1' }] })], '/rules/0/when/arguments/0/matches'],
    ['an empty time window', [deny('a', { time: { from: '08:00', to: '08:00' } })], '/rules/0/when/time'],
    ['a condition that can never hold', [deny('a', { arguments: [{ path: '/n', gt: 5, lt: 5 }] })], '/rules/0/when/arguments/0'],
    ['a condition that tests nothing', [deny('a', { arguments: [{ path: '/n' }] })], '/rules/0/when/arguments/0'],
  ])('[POLICY-007] are refused with %s before anything takes effect', async (_name, rules, pointer) => {
    const before = [await get(), await server().head()];
    const answer = await put(rules);
    expect([answer.status, answer.body.code, answer.body.facts.errors.map((error: Body) => error.pointer)]).toEqual([422, 'VALIDATION_FAILED', [pointer]]);
    expect([await get(), await server().head()]).toEqual(before);
  });

  it('take effect with a warning when they name what nobody knows yet', async () => {
    const answer = await put([deny('a', { tool: 'tomorrow', role: 'Stranger' })]);
    expect([answer.status, answer.body.data.warnings.map(({ pointer }: Body) => pointer)]).toEqual([200, ['/rules/0/when/tool', '/rules/0/when/role']]);
    await put([]);
  });

  it('[POLICY-006] are tried out over HTTP and on the command line without changing anything', async () => {
    await put([deny('in force')]);
    const head = await server().head();
    const test = async (body: Body) => (await admin('POST', 'agent/policies/test', body)).body.data as Body;
    expect(await test({ cases: [{ tool: 'note', expect: 'deny' }, { name: 'wrong', tool: 'note', expect: { do: 'ask', rule: 'other' } }, { tool: 'getItem', expect: 'none' }] })).toMatchObject({
      passed: 2, failed: 1, results: [{ passed: true, do: 'deny', rule: 'in force' }, { name: 'wrong', passed: false, differences: [expect.stringContaining('do'), expect.stringContaining('rule')] }, { passed: true }],
    });
    const rules = [
      { name: 'night', when: { time: { from: '22:00', to: '06:00', days: [5] }, origin: 'reconciler' }, then: { do: 'deny' } }, { name: 'dear', when: { arguments: [{ path: '/data/price', gt: 100 }] }, then: { do: 'requireQuorum', quorum: 2 } },
      { name: 'writers', when: { role: 'Writer' }, then: { do: 'capLevel', level: 1 } },
    ];
    const cases = [
      { tool: 'updateItem', origin: 'reconciler', at: '2030-01-05T03:00:00Z', expect: 'deny' }, { tool: 'updateItem', origin: 'reconciler', at: '2030-01-06T03:00:00Z', expect: 'none' },
      { tool: 'updateItem', role: 'Writer', arguments: { data: { price: 101 } }, expect: { do: 'none', quorum: 2, capLevel: 1 } }, { tool: 'updateItem', arguments: { data: { price: 100 } }, expect: { quorum: 1, capLevel: null } },
    ];
    expect(await test({ rules, cases })).toMatchObject({ passed: 4, failed: 0, faults: [] });
    expect((await admin('POST', 'agent/policies/test', { cases: [{ tool: 'nothing', expect: 'deny' }] })).body.facts.errors).toEqual([{ pointer: '/cases/0/tool', detail: expect.any(String) }]);

    const folder = await mkdtemp(join(tmpdir(), 'harness-policies-'));
    const line = new CommandLine(await builtCheckout(folder), { HARNESS_URL: server().url, HARNESS_KEY: server().admin.key });
    const run = async (document: Body) => {
      const file = join(folder, 'tests.json');
      await writeFile(file, JSON.stringify(document));
      const { code, out } = await line.run(['policy', 'test', file, '--json']);
      return [code, (JSON.parse(out) as Body).passed, (JSON.parse(out) as Body).failed];
    };
    expect(await run({ rules, cases })).toEqual([0, 4, 0]);
    expect(await run({ cases: [{ tool: 'note', expect: 'deny' }, { tool: 'note', expect: 'allow' }] })).toEqual([1, 1, 1]);
    line.cleanUp();
    await rm(folder, { recursive: true, force: true });
    expect([await server().head(), (await get()).rules.length]).toEqual([head, 1]);
    await put([]);
  });

  it('are read by holders of policies:read and changed by holders of policies:write', async () => {
    const before = (await get()).governanceVersion;
    expect([(await agent()('GET', 'agent/policies')).status, (await agent()('PUT', 'agent/policies', { rules: [] })).status, (await agent()('POST', 'agent/policies/test', { cases: [{ tool: 'note', expect: 'none' }] })).status]).toEqual([403, 403, 403]);
    const reader = await server().newKey({ kind: 'human', capabilities: ['policies:read'] });
    expect([(await reader('GET', 'agent/policies')).status, (await reader('PUT', 'agent/policies', { rules: [deny('x')] })).status]).toEqual([200, 403]);
    expect((await get()).governanceVersion).toBe(before);
  });
});
