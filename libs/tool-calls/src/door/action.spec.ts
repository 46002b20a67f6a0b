import { createHash } from 'node:crypto';
import { canonicalJson } from '@app/event-store';
import type { EffectiveTool } from '@app/governance/contract';
import { describe, expect, it } from '@jest/globals';
import { MASK } from '@app/vault/contract';
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

  it('of arguments with secrets is recorded without them, while its hashes bind the exact ones and tell nothing to who has not the key', () => {
    const secret = { ...asked, arguments: { id: 'item_1', note: 'Bearer abcdef123456' }, pepper: 'pepper' };
    const open = { ...tool, inputSchema: { ...tool.inputSchema, additionalProperties: true } };
    const { action, exact, secrets } = prepareAction(secret, open);
    expect(action).toMatchObject({ arguments: { id: 'item_1', quiet: true, note: `Bearer ${MASK}` }, masked: true });
    expect({ exact, secrets }).toEqual({ exact: { ...secret.arguments, quiet: true }, secrets: ['abcdef123456'] });
    expect(action.argumentsHash).not.toBe(sha256(canonicalJson(exact)));
    const digests = [secret, { ...secret, pepper: 'other' }, { ...secret, arguments: { ...secret.arguments, note: 'Bearer abcdef123457' } }].map((each) => prepareAction(each, open).action.actionDigest);
    expect(new Set(digests).size).toBe(3);
    expect(prepareAction(secret, open).action).toEqual(action);
  });

  it('is refused with the place where a mask came back, and no name that is a secret is told with it', () => {
    const name = `ghp_${'a'.repeat(36)}`;
    expect(prepareAction({ ...asked, arguments: { id: MASK, [name]: 1 }, pepper: 'pepper' }, tool).problems).toEqual([
      { path: '/id', message: expect.stringContaining(MASK) }, expect.objectContaining({ path: expect.not.stringContaining(name), message: expect.not.stringContaining(name) }),
    ]);
  });
});
