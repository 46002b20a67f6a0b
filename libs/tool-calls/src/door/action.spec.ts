import { createHash } from 'node:crypto';
import { canonicalJson } from '@app/event-store';
import type { EffectiveTool } from '@app/governance/contract';
import { describe, expect, it } from '@jest/globals';
import { prepareAction } from './action';

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
const tool: EffectiveTool = {
  name: 'updateItem', kind: 'skill', description: 'Updates one item.', requiredCapabilities: ['items:update'], risk: 'write', timeoutMs: 30_000, owner: 'core', enabled: true,
  isDangerous: false,
  inputSchema: { type: 'object', properties: { id: { type: 'string' }, quiet: { type: 'boolean', default: true } }, required: ['id'], additionalProperties: false },
};
const asked = { siteId: 'site_a', runId: 'run_1', callId: 'call_1', tool: 'updateItem', arguments: { id: 'item_1' } };
const digestOf = (change: Partial<typeof asked> = {}, changed: Partial<EffectiveTool> = {}) => prepareAction({ ...asked, ...change }, { ...tool, ...changed }).action.actionDigest;

describe('The action that a decision is bound to', () => {
  it('[APPR-012] is digested from site, run, tool, definition and the arguments after defaults', () => {
    const digest = sha256(canonicalJson({ site: 'site_a', run: 'run_1', tool: 'updateItem', definition: sha256(canonicalJson(tool)), arguments: { id: 'item_1', quiet: true } }));
    expect(digestOf()).toBe(digest);
    expect(digestOf({ arguments: { quiet: true, id: 'item_1' } as never })).toBe(digest);
    expect(digestOf({ callId: 'call_2' })).toBe(digest);
    const others = [
      digestOf({ siteId: 'site_b' }), digestOf({ runId: 'run_2' }), digestOf({ tool: 'deleteItem' }), digestOf({ arguments: { id: 'item_2' } }),
      digestOf({}, { description: 'Updates one item!' }), digestOf({}, { risk: 'destructive' }), digestOf({}, { requiredCapabilities: ['items:write'] }), digestOf({}, { timeoutMs: 1 }),
    ];
    expect(new Set([digest, ...others]).size).toBe(others.length + 1);
  });
});
