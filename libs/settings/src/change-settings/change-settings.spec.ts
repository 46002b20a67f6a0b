import { describe, it } from '@jest/globals';
import { governance, type GovernanceEvent } from '@app/governance/contract';
import { specification } from '@app/kernel/testing';
import type { ChangeSettingsBody } from './change-settings.command';
import { changeSettings } from './change-settings.decide';

const given = specification(governance);
const created: GovernanceEvent = { type: 'SiteCreated', data: { siteId: 'site_a', name: 'A' } };
const changed = (changes: Extract<GovernanceEvent, { type: 'SettingsChanged' }>['data']['changes']): GovernanceEvent => ({ type: 'SettingsChanged', data: { changes } });
const when = (body: ChangeSettingsBody, ...history: GovernanceEvent[]) => given(created, ...history).when((state) => changeSettings(state, body, ['old']));

describe('Changing settings', () => {
  it('is one event for each flag and one for all the rest', () => {
    when({ contentOs: { mcp: true, vetoWindow: true }, vetoWindowMs: 60_000, separationOfDuties: true }).then({
      governance: [{ type: 'FlagChanged', data: { flag: 'vetoWindow', on: true } }, { type: 'FlagChanged', data: { flag: 'mcp', on: true } }, changed({ vetoWindowMs: 60_000, separationOfDuties: true })],
    });
  });

  it('leaves out what is as wanted already, whatever the order of its keys', () => {
    when({ contentOs: { mcp: false }, separationOfDuties: false, promotion: { rate: 0.95, streak: 20 }, notifications: { channels: [] }, budget: {} }).then({ governance: [] });
    when({ promotion: { decided: 5 }, vetoWindowMs: 14_400_000 }).then({ governance: [changed({ promotion: { streak: 20, decided: 5, rate: 0.95 } })] });
  });

  it('merges limits by name, and takes away the ones that are null', () => {
    const before = changed({ budget: { maxToolCalls: 5, maxCostUsd: 1 }, approvalExpiryMsByKind: { plan: 60_000 } });
    when({ budget: { maxCostUsd: null, timeoutMs: 9_000 }, approvalExpiryMsByKind: { plan: null, veto: 120_000 } }, before).then({
      governance: [changed({ budget: { maxToolCalls: 5, timeoutMs: 9_000 }, approvalExpiryMsByKind: { veto: 120_000 } })],
    });
  });

  it('names the secrets that are set or removed, and tells none', () => {
    when({ secrets: { stripe: 'hush', old: null, unknown: null } }).then({ governance: [{ type: 'SecretsChanged', data: { set: ['stripe'], removed: ['old'] } }] });
    when({ secrets: { unknown: null } }).then({ governance: [] });
  });

  it('takes no secret into the address or a header of a deploy hook, but names of secrets', () => {
    const [name, url] = ['production', 'https://hooks.example/'];
    const named = { name, url: `${url}secret://path`, headers: { 'x-api-key': 'secret://key' }, auth: 'secret://token' };
    when({ deployments: { targets: [named] } }).then({ governance: [changed({ deployments: { targets: [named] } })] });
    const plain = [{ name, url: 'https://ada:pw@hooks.example/' }, { name, url: `${url}?token=abc-def` }, { name, url, headers: { 'x-api-key': 'abc-def' } }];
    for (const target of plain) when({ deployments: { targets: [named, target] } }).thenRejected('VALIDATION_FAILED');
  });

  it('replaces lists as a whole', () => {
    when({ outbound: { allowHosts: ['a.example'] } }, changed({ outbound: { allowHosts: ['b.example', 'c.example'] } })).then({ governance: [changed({ outbound: { allowHosts: ['a.example'] } })] });
  });
});
