import { afterEach, describe, expect, it } from '@jest/globals';
import { lists, refuses } from '@app/sdk/testing';
import { against, closeServer, runHarness, serve } from './testing/run-harness';

afterEach(closeServer);

describe('The command line', () => {
  it.each([
    [['fly']],
    [['keys']],
    [['keys', 'issue']],
    [['keys', 'issue', 'ci', '--kind', 'robot', '--capabilities', 'items:read']],
    [['projections', 'skip', 'items', '--position', '5']],
    [['projections', 'skip', 'items', '--position', 'x', '--reason', 'r', '--key', 'k']],
    [['tail', '--from', '-1', '--key', 'k']],
    [['keys', 'list']],
    [['keys', 'list', '--sideways']],
    [['run']],
    [['audit', 'check-proof', '/nowhere', '--public-key', '/nowhere']],
  ])('that is not understood exits 2 and says why: %p', async (args) => {
    const plain = await runHarness(args);
    expect(plain).toMatchObject({ code: 2, out: '' });
    expect(plain.err).not.toBe('');
    const json = await runHarness([...args, '--json']);
    expect(json.code).toBe(2);
    expect(JSON.parse(json.out)).toMatchObject({ error: { code: 'USAGE', detail: expect.any(String) } });
  });

  it('explains itself and exits 0', async () => {
    const { code, out } = await runHarness(['--help']);
    expect(code).toBe(0);
    for (const name of ['serve', 'seed', 'tail', 'audit', 'projections', 'keys', 'run']) expect(out).toContain(name);
  });

  it('takes the global options before and after the command, and prefers them to the environment', async () => {
    const server = await serve(lists([]));
    for (const args of [
      ['--url', server.url, '--key', 'hk_a', '--site', 's1', 'keys', 'list'],
      ['keys', 'list', '--url', server.url, '--key', 'hk_a', '--site', 's1'],
    ]) {
      expect(await runHarness(args, { env: { HARNESS_URL: 'http://127.0.0.1:1', HARNESS_KEY: 'hk_b', HARNESS_SITE: 's2' } })).toMatchObject(
        {
          code: 0,
        },
      );
    }
    for (const { headers } of server.seen) expect(headers).toMatchObject({ authorization: 'Bearer hk_a', 'x-site-id': 's1' });
  });

  it('exits 1 when the server refuses, with the code for people and for scripts', async () => {
    const refusal = refuses(403, 'FORBIDDEN', { detail: 'Only admins may list keys.' });
    expect(await against([refusal], 'keys list')).toMatchObject({
      code: 1,
      out: '',
      err: 'harness: Only admins may list keys. (FORBIDDEN)\n',
    });
    const { code, out } = await against([refusal], 'keys list --json');
    expect(code).toBe(1);
    expect(JSON.parse(out)).toEqual({ error: { code: 'FORBIDDEN', status: 403, detail: 'Only admins may list keys.', facts: {} } });
  });
});
