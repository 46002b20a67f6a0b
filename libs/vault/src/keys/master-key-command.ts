import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { MasterKey } from './master-key';
import { MasterKeyUnreadable } from './master-key-file';

const TIMEOUT_MS = 30_000;
const MOST_BYTES = 4_096;

/**
 * The master key as a command of the operator prints it: one that asks a key management service to unwrap it, for instance. It is asked once, at
 * the start, and what it prints is neither stored nor logged.
 */
export const masterKeyFrom = async (command: string): Promise<MasterKey> => {
  const { stdout } = await promisify(execFile)('/bin/sh', ['-c', command], { timeout: TIMEOUT_MS, maxBuffer: MOST_BYTES }).catch(({ code, killed }: { code?: unknown; killed?: boolean }) => {
    throw new MasterKeyUnreadable(`The command in HARNESS_MASTER_KEY_COMMAND ${killed ? `did not end within ${TIMEOUT_MS / 1_000} s` : `failed (${String(code)})`}; without the master key no sealed value can be opened.`);
  });
  const key = MasterKey.of(stdout.trim());
  if (!key) throw new MasterKeyUnreadable('The command in HARNESS_MASTER_KEY_COMMAND printed no master key of 32 bytes, as 64 hexadecimal digits or as base64.');
  return key;
};
