import { describe, expect, it } from '@jest/globals';
import { ask, dangerous, facts, freeze, grant, role, rules, run, site, tool, vetoWindow } from './door.examples';

const writer = role('Writer', 'items:update', 'items:delete');
const asWriter = run({ agentRole: 'Writer' });
const at = (level: number, ...more: Parameters<typeof site>) => site(writer, vetoWindow, grant('Writer', 'items:update', level), grant('Writer', 'items:delete', level), ...more);
const on = (level: number, more: Parameters<typeof ask>[0] = {}) => ask({ run: asWriter, site: at(level), ...more });
const stageable = tool({ stageable: true }, { dangerous: true });
const patch = { id: 'item_1', data: { title: 'New' } };

describe('Autonomy at the door', () => {
  it('asks a human for every call that is not a read at level 0, safe or dangerous, and for nobody else', () => {
    for (const asked of [tool(), tool({ risk: 'create' }), dangerous()]) expect(on(0, { tool: asked })).toMatchObject({ route: 'ask', autonomy: 0, humanOnly: true });
    expect(on(0, { tool: tool({ risk: 'read' }) })).toMatchObject({ route: 'execute' });
    expect(on(1)).toMatchObject({ route: 'ask', humanOnly: false });
  });

  it.each(['create', 'write', 'destructive'] as const)('[TRUST-007] asks at level 1 for a safe tool that does a %s', (risk) => {
    expect(on(1, { tool: tool({ risk }) })).toMatchObject({ route: 'ask', autonomy: 1, policy: 'autonomy' });
    expect(on(1, { tool: tool({ risk: 'read' }) })).toMatchObject({ route: 'execute' });
  });

  it.each([2, 3, 4])('[TRUST-008] runs a safe tool at level %s', (level) => {
    for (const risk of ['read', 'create', 'write', 'destructive'] as const) expect(on(level, { tool: tool({ risk }) })).toMatchObject({ route: 'execute', autonomy: level });
  });

  it('[TRUST-010] stages at level 3 a patch of a single item that has to be asked for, while there is a veto window', () => {
    expect(on(3, { tool: stageable, arguments: patch })).toMatchObject({ route: 'stage', autonomy: 3, windowMs: 4 * 3_600_000 });
    const sites = [at(3, { type: 'FlagChanged', data: { flag: 'vetoWindow', on: false } }), at(2)];
    for (const other of sites) expect(ask({ run: asWriter, site: other, tool: stageable, arguments: patch })).toMatchObject({ route: 'ask', autonomy: 2 });
  });

  it('[TRUST-011] asks at level 3 for a dangerous call that cannot be staged', () => {
    const notStageable = [
      { tool: dangerous(), arguments: { id: 'item_1' } }, { tool: stageable, arguments: { id: 'item_1' } }, { tool: stageable, arguments: { id: 'item_1', data: null } },
      { tool: tool({}, { dangerous: true }), arguments: patch },
    ];
    for (const call of notStageable) {
      expect(on(3, call)).toMatchObject({ route: 'ask', policy: 'dangerous_tool' });
      expect({ ...on(3, call), autonomy: 2 }).toEqual(on(2, call));
    }
  });

  it('[TRUST-012] runs a dangerous tool at level 4, within capability and budget', () => {
    expect(on(4, { tool: dangerous() })).toMatchObject({ route: 'execute', autonomy: 4 });
    expect(on(4, { tool: dangerous(), capabilities: ['items:update'] })).toMatchObject({ route: 'deny', reason: 'capability_missing' });
    const spent = { ...asWriter.spent, toolCalls: 20 };
    expect(on(4, { tool: dangerous(), run: { ...asWriter, spent } })).toMatchObject({ route: 'deny', reason: 'budget_tool_calls' });
  });

  it.each([['its site', freeze('site', null)], ['its role', freeze('role', 'Writer')]])('[TRUST-013] refuses at level 4 under a freeze of %s', (_what, frozen) => {
    for (const asked of [tool(), dangerous()]) {
      expect(ask({ run: asWriter, site: at(4, frozen), tool: asked })).toMatchObject({ route: 'deny', reason: 'frozen', stop: { status: 'cancelled', stopReason: 'frozen' } });
    }
  });

  it.each([0, 1, 2, 3, 4])('[TRUST-014] neither stages nor runs an irreversible tool unattended, with a grant of level %s', (level) => {
    const irreversible = tool({ irreversible: true, stageable: true }, { dangerous: false });
    const policies = [[], [{ name: 'yes', when: {}, then: { do: 'allow' }, mode: 'enforce' }], [{ name: 'stage', when: {}, then: { do: 'stage' }, mode: 'enforce' }]] as const;
    for (const given of policies) {
      expect(ask({ run: asWriter, site: at(level, rules(...given)), tool: irreversible, arguments: patch })).toMatchObject({ route: 'ask', autonomy: Math.min(level, 2) });
    }
  });

  it('[RISK-002] asks for every call that is not a read under before_execute, and stages what can be staged under before_commit', () => {
    for (const level of [2, 3]) {
      const sealed = (approvalPolicy: 'before_execute' | 'before_commit') => run({ agentRole: 'Writer', envelope: { approvalPolicy } });
      for (const risk of ['create', 'write', 'destructive'] as const) {
        for (const policy of ['before_execute', 'before_commit'] as const) {
          expect(ask({ run: sealed(policy), site: at(level), tool: tool({ risk }) })).toMatchObject({ route: 'ask', policy });
          expect(ask({ run: sealed(policy), site: at(level), tool: tool({ risk: 'read' }) })).toMatchObject({ route: 'execute' });
        }
      }
      const patching = { tool: tool({ stageable: true }), arguments: patch };
      expect(ask({ run: sealed('before_commit'), site: at(level), ...patching })).toMatchObject({ route: 'stage', policy: 'before_commit' });
      expect(ask({ run: sealed('before_commit'), site: site(writer, grant('Writer', 'items:update', level)), ...patching })).toMatchObject({ route: 'ask', policy: 'before_commit' });
    }
  });

  it('[DOOR-024] runs safe tools and asks for dangerous ones without any role', () => {
    const granted = at(4, grant('', 'items:update', 0));
    for (const on of [site(), granted]) {
      expect(ask({ site: on })).toMatchObject({ route: 'execute' });
      expect(ask({ site: on, tool: dangerous() })).toMatchObject({ route: 'ask', policy: 'dangerous_tool' });
    }
  });

  it('[DOOR-026] lets a policy deny a call, run it, or ask a human', () => {
    const rule = (then: 'allow' | 'deny' | 'ask') => site(rules({ name: `${then}!`, reason: 'Because', when: { tool: ['updateItem', 'deleteItem'] }, then: { do: then }, mode: 'enforce' }));
    expect(ask({ site: rule('deny') })).toEqual({ route: 'deny', reason: 'policy_denied', rule: 'deny!', facts: { reason: 'Because' }, shadow: [] });
    expect(ask({ site: rule('allow'), tool: dangerous() })).toMatchObject({ route: 'execute', policy: 'allow!' });
    expect(ask({ site: rule('ask') })).toMatchObject({ route: 'ask', policy: 'ask!' });
  });

  it('caps the level and raises the quorum by policy', () => {
    const capped = at(4, rules({ name: 'calm', when: {}, then: { do: 'capLevel', level: 1 }, mode: 'enforce' }, { name: 'two', when: {}, then: { do: 'requireQuorum', quorum: 2 }, mode: 'enforce' }));
    expect(ask({ run: asWriter, site: capped })).toMatchObject({ route: 'ask', autonomy: 1, quorum: 2 });
  });

  it('[POLICY-005] records what a rule in shadow mode would have done, and does not do it', () => {
    const shadowed = site(rules({ name: 'later', when: {}, then: { do: 'deny' }, mode: 'shadow' }));
    const { shadow, ...verdict } = ask({ site: shadowed }) as Extract<ReturnType<typeof ask>, { route: 'execute' }>;
    expect(shadow).toEqual([{ rule: 'later', then: { do: 'deny' } }]);
    expect({ ...verdict, shadow: [] }).toEqual(ask());
    expect(facts({ site: shadowed }).site.policies).toHaveLength(1);
  });
});
