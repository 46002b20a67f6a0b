import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { decrypt, encrypt, KEY_BYTES } from './aead';
import { MasterKey } from './master-key';
import { masterKeyIn, MasterKeyUnreadable } from './master-key-file';

const key = fc.uint8Array({ minLength: KEY_BYTES, maxLength: KEY_BYTES }).map((bytes) => Buffer.from(bytes));
const plain = fc.uint8Array({ maxLength: 2_000 }).map((bytes) => Buffer.from(bytes));

describe('A sealed box', () => {
  it('opens to what was put in, under the same key and for the same subject', () => {
    fc.assert(fc.property(key, plain, fc.string(), (k, value, about) => {
      expect(decrypt(k, encrypt(k, value, about), about).equals(value)).toBe(true);
    }), { numRuns: 200 });
  });

  it('opens under no other key, for no other subject, and with no changed bit', () => {
    fc.assert(fc.property(key, plain, fc.string(), fc.nat(), (k, value, about, at) => {
      const box = encrypt(k, value, about);
      expect(() => decrypt(Buffer.from(k.map((byte, nr) => (nr === at % KEY_BYTES ? byte ^ 1 : byte))), box, about)).toThrow();
      expect(() => decrypt(k, box, `${about}x`)).toThrow();
      expect(() => decrypt(k, Buffer.from(box.map((byte, nr) => (nr === at % box.length ? byte ^ (1 << (at % 8)) : byte))), about)).toThrow();
    }), { numRuns: 200 });
  });

  it('is never the same twice', () => {
    const value = Buffer.from('hunter2');
    const same = Buffer.alloc(KEY_BYTES, 7);
    expect(new Set(Array.from({ length: 100 }, () => encrypt(same, value, 'a').toString('hex'))).size).toBe(100);
  });
});

describe('A master key', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'master-key-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('has 32 bytes in one of three spellings', () => {
    const bytes = Buffer.from('fb'.repeat(KEY_BYTES), 'hex');
    const check = MasterKey.of(bytes.toString('hex'))!.checkValue;
    for (const text of [bytes.toString('hex').toUpperCase(), bytes.toString('base64'), bytes.toString('base64url')]) expect(MasterKey.of(text)!.isOf(check)).toBe(true);
    for (const text of ['', 'hunter2', 'ab'.repeat(31), bytes.subarray(1).toString('base64'), `${bytes.toString('base64')}=`, ` ${bytes.toString('hex')}`]) expect(MasterKey.of(text)).toBeUndefined();
  });

  it('is told apart from another by a value that does not tell it', () => {
    const [mine, other] = [MasterKey.generate(), MasterKey.generate()];
    expect([mine.isOf(mine.checkValue), mine.isOf(other.checkValue), mine.isOf(Buffer.alloc(0))]).toEqual([true, false, false]);
    expect(mine.checkValue.toString('base64')).not.toBe(mine.export());
  });

  it('is made once for a data directory, for its owner alone, also by ten that come at once', async () => {
    const keys = await Promise.all(Array.from({ length: 10 }, () => masterKeyIn(folder)));
    expect(new Set(keys.map((each) => each.export())).size).toBe(1);
    expect(readdirSync(join(folder, 'vault'))).toEqual(['master-key']);
    expect(statSync(join(folder, 'vault/master-key')).mode & 0o777).toBe(0o600);
    expect(statSync(join(folder, 'vault')).mode & 0o777).toBe(0o700);
    expect((await masterKeyIn(folder)).isOf(keys[0]!.checkValue)).toBe(true);
  });

  it('that cannot be read is told with its file, and replaced by nothing', async () => {
    await masterKeyIn(folder);
    const file = join(folder, 'vault/master-key');
    writeFileSync(file, 'half a k');
    await expect(masterKeyIn(folder)).rejects.toThrow(MasterKeyUnreadable);
    await expect(masterKeyIn(folder)).rejects.toThrow(file);
    expect(readFileSync(file, 'utf8')).toBe('half a k');
  });
});
