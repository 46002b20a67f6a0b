import { afterEach, describe, expect, it } from '@jest/globals';
import { answers, lists } from '@app/sdk/testing';
import { against, closeServer, served } from '../testing/run-harness';

afterEach(closeServer);

describe('harness keys', () => {
  it('prints a new secret once, and never the key it works with', async () => {
    const { code, out, err } = await against(
      [answers({ id: 'key_1', key: 'hk_new' }, '5', 201)],
      'keys issue ci --kind agent --capabilities items:read,items:write',
    );
    expect(code).toBe(0);
    expect(out.match(/hk_new/g)).toHaveLength(1);
    expect(out + err).not.toContain('hk_secret');
    expect(served().seen[0]).toMatchObject({
      method: 'POST',
      path: '/api/v1/api-keys',
      body: { name: 'ci', kind: 'agent', capabilities: ['items:read', 'items:write'] },
    });
  });

  it('lists in a table, or as JSON', async () => {
    const key = {
      id: 'key_1',
      name: 'ci',
      kind: 'agent',
      capabilities: ['items:read'],
      expiresAt: null,
      revokedAt: null,
      lastUsedAt: null,
    };
    expect((await against([lists([key])], 'keys list')).out).toMatch(/^ID +NAME +KIND.*\nkey_1 +ci +agent +items:read +active/);
    expect(JSON.parse((await against([lists([key])], 'keys list --json')).out)).toEqual([key]);
  });
});
