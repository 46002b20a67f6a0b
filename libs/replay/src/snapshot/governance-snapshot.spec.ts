import { describe, expect, it } from '@jest/globals';
import { stateHash } from '@app/event-store';
import { governance, type GovernanceEvent } from '@app/governance/contract';
import { context } from '@app/kernel/testing';
import { Budget } from '@app/runs/contract';
import { memoryLog } from '../testing/servers';
import { GetGovernanceSnapshotHandler } from './governance-snapshot.handler';
import { GetGovernanceSnapshot } from './governance-snapshot.query';

const SITE = 'site_a';
const STALE = `sha256:${'f'.repeat(64)}`;
const rule = (name: string) => ({ name, when: { tool: 'note' }, then: { do: 'ask' as const }, mode: 'enforce' as const });
const changes: readonly GovernanceEvent[] = [
  { type: 'SiteCreated', data: { siteId: SITE, name: 'A' } }, { type: 'PolicyChanged', data: { rules: [rule('first')] } }, { type: 'PolicyChanged', data: { rules: [rule('second')] } },
];

/** Rules that changed twice, and between the changes a run that an older release sealed with a hash of its own. */
const asking = async () => {
  const log = memoryLog();
  let n = 0;
  const append = async (streamId: string, events: readonly { type: string; data: unknown }[]) => {
    const done = await log.append([{ streamId, expected: 'any', events: events as never }], [], context({ siteId: SITE, commandId: `c-${n++}` }));
    if (!done.ok) throw new Error(JSON.stringify(done));
  };
  await append(`governance-${SITE}`, changes.slice(0, 2));
  const envelope = {
    goalId: 'goal_1', runId: 'run_1', agentName: 'robot', context: { siteId: SITE, collections: [], policySnapshotHash: STALE }, budget: Budget.parse({}), risk: 'safe', approvalPolicy: 'none',
    artifacts: [], capabilities: [], principalId: 'key_1',
  };
  await append('run-run_1', [{ type: 'RunStarted', data: { runId: 'run_1', goalId: 'goal_1', agentName: 'robot', kind: 'external' } }, { type: 'EnvelopeSealed', data: { envelope } }]);
  await append(`governance-${SITE}`, changes.slice(2));
  const handler = new GetGovernanceSnapshotHandler(log);
  return (hash: string, siteId = SITE) => handler.execute(new GetGovernanceSnapshot(hash, siteId));
};

describe('The rules behind a hash', () => {
  it('are found at every version, whatever came later', async () => {
    const ask = await asking();
    let state = governance.initial;
    for (const [n, change] of changes.entries()) {
      state = governance.evolve(state, change);
      expect(await ask(stateHash(state))).toMatchObject({ ok: true, data: { hash: stateHash(state), reproduced: true, asOf: { version: n + 1 }, state: JSON.parse(JSON.stringify(state)) } });
    }
  });

  it('are found by the run that named the hash, when they fold into another shape today', async () => {
    const found = await (await asking())(STALE);
    expect(found).toMatchObject({ ok: true, data: { hash: STALE, reproduced: false, asOf: { version: 2 }, state: { policies: [{ name: 'first' }] } } });
  });

  it('are unknown for other sites and for what is no hash', async () => {
    const ask = await asking();
    const here = stateHash(changes.reduce(governance.evolve, governance.initial));
    for (const [hash, siteId] of [[here, 'site_b'], [STALE, 'site_b'], ['sha256:0', SITE], [`sha256:${'0'.repeat(64)}`, SITE]] as const) expect(await ask(hash, siteId)).toMatchObject({ ok: false, rejection: { code: 'FORBIDDEN' } });
  });
});
