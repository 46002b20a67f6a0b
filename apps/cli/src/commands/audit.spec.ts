import { afterEach, describe, expect, it } from '@jest/globals';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { answers, streams } from '@app/sdk/testing';
import { against, closeServer, runHarness, served } from '../testing/run-harness';

afterEach(closeServer);

describe('harness audit', () => {
  const intact = { ok: true, events: '9', batches: '3', head: '9', chain: 'ab', checkpoints: 1, signedUpTo: '9' };
  const broken = { ok: false, position: '7', reason: 'changed_event', detail: 'The event at 7 is not the one that was hashed.' };
  const verifying = (verdict: object) =>
    streams([`event: progress\ndata: {"verified":"5","total":"9"}\n\nevent: verdict\ndata: ${JSON.stringify(verdict)}\n\n`]);

  it('exits 0 on an intact chain, with its progress beside the result', async () => {
    const { code, out, bars } = await against([verifying(intact)], 'audit verify --json');
    expect({ code, out: JSON.parse(out) as unknown }).toEqual({ code: 0, out: intact });
    expect(bars).toMatch(/Verifying =+ 100%/);
  });

  it('exits 1 on a broken chain and names the first bad position', async () => {
    const { code, out, bars } = await against([verifying(broken)], 'audit verify');
    expect(code).toBe(1);
    expect(out).toContain('#7');
    expect(bars).toMatch(/Verifying =+-+ 55%/);
  });

  it('exits 1 when the verification ends without a verdict', async () => {
    expect(await against([streams([], 'end')], 'audit verify')).toMatchObject({ code: 1, out: '' });
  });

  it('writes a proof to a file', async () => {
    const file = join(mkdtempSync(join(tmpdir(), 'harness-cli-')), 'proof.json');
    const { code } = await against([answers({ format: 'harness-proof-1' })], `audit proof e1 --out ${file}`);
    expect(code).toBe(0);
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ format: 'harness-proof-1' });
    expect(served().seen[0]?.path).toBe('/api/v1/audit/proof/e1');
  });

  it('checks a proof without server or key, and exits 1 when it is not valid', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'harness-cli-'));
    for (const name of ['proof.json', 'key.pem']) writeFileSync(join(folder, name), '{}');
    const { code, out } = await runHarness([
      'audit',
      'check-proof',
      join(folder, 'proof.json'),
      '--public-key',
      join(folder, 'key.pem'),
      '--json',
    ]);
    expect(code).toBe(1);
    expect(JSON.parse(out)).toEqual({ ok: false, detail: 'This is no proof of the known format.' });
  });
});
