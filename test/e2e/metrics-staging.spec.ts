import { describe, expect, it } from '@jest/globals';
import { eventually } from './eventually';
import { scrape } from './scraped';
import { stagedChanges } from './staged-changes';
import type { Body } from './server';

describe('The metrics of unattended work', () => {
  const { server, open, put } = stagedChanges();

  it('[OBS-010] [OBS-011] [OBS-012] count stagings at level 3, executions at level 4, and vetoes', async () => {
    const { newItem, change } = await open();
    const id = await newItem();
    const staged = [(await change(id, { title: 'One' })).data, (await change(id, { price: 6 })).data] as Body[];
    expect(staged.map(({ status }) => status as string)).toEqual(['staged', 'staged']);
    await put('agent/autonomy/grants', { agentRole: 'Writer', capability: 'items:update', level: 4 });
    expect((await change(id, { price: 7 })).data).toMatchObject({ status: 'executed', autonomy: 4 });
    const vetoer = await server().newKey({ name: 'Vera', kind: 'human', roles: ['veto'] });
    expect((await vetoer('POST', `agent/staged/${staged[0]!.stagingId}/veto`, { reason: 'Not ours' })).status).toBe(200);
    const now = await eventually(() => scrape(server().url), ({ value }) => value('lumibase_agent_vetoes_total') === 1);
    expect(['lumibase_agent_veto_stagings_total', 'lumibase_agent_vetoes_total'].map(now.value)).toEqual([2, 1]);
    expect(now.of('lumibase_agent_autonomous_operations_total')).toEqual({
      'lumibase_agent_autonomous_operations_total{level="L3"}': 2, 'lumibase_agent_autonomous_operations_total{level="L4"}': 1,
    });
    expect(now.value('lumibase_agent_approvals_total{subject_type="veto",status="rejected"}')).toBe(1);
    expect(now.value('harness_door_decisions_total{route="stage",reason="look at changes"}')).toBe(2);
  });
});
