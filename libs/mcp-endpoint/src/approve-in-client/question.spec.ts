import { describe, expect, it } from '@jest/globals';
import type { PendingApproval } from '@app/approvals/contract';
import { site } from '../testing/site';
import { mayDecideInClient, questionOf } from './question.policy';

const ada = { id: 'key_ada', kind: 'human', name: 'Ada', siteId: 'site_a', sites: ['site_a'], capabilities: ['approvals:decide'], roles: [], platformAdmin: false } as const;
const asked = (more: object = {}) => ({ status: 'pending', request: { subject: 'deleteItem products', tool: 'deleteItem', arguments: { id: 'item_1' }, policy: 'dangerous_tool', quorum: 1, ...more } }) as unknown as PendingApproval;

describe('A question to the person in the client', () => {
  it('is for a person with the right and a key, who may decide what they asked for', () => {
    expect(mayDecideInClient(site(), ada)).toBe(true);
    expect(mayDecideInClient(site(), { ...ada, capabilities: [], roles: ['admin'] })).toBe(true);
    for (const other of [{ ...ada, kind: 'agent' as const }, { ...ada, kind: 'service' as const }, { ...ada, capabilities: [] }, { ...ada, onlyRun: 'run_1' }]) expect(mayDecideInClient(site(), other)).toBe(false);
    expect(mayDecideInClient(site({ type: 'SettingsChanged', data: { changes: { separationOfDuties: true } } }), ada)).toBe(false);
  });

  it('shows the whole action, with what could disguise it made visible', () => {
    expect(questionOf(asked({ arguments: { id: 'item_\u202e1' }, quorum: 2 }))).toBe('Approve deleteItem products?\nTool: deleteItem, asked because of dangerous_tool. 2 people have to agree.\nArguments: {\n  "id": "item_\\u{202e}1"\n}');
  });

  it('is not asked about what cannot be shown whole, or is decided', () => {
    expect(questionOf(asked({ arguments: { text: 'x'.repeat(5_000) } }))).toBeUndefined();
    expect(questionOf({ ...asked(), status: 'expired', expiredAt: 'x' } as never)).toBeUndefined();
  });
});
