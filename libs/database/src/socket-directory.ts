import { createHash } from 'node:crypto';
import { lstatSync, mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { giveTo, type Account } from './account';
import { EmbeddedPostgresError } from './embedded-postgres-error';

export const PORT = 5432;

/** What an address of a Unix socket holds: 107 bytes on Linux, 103 on macOS. */
const LONGEST_PATH = 103;

export const socketIn = (directory: string) => join(directory, `.s.PGSQL.${PORT}`);

/**
 * The home itself, unless the socket's path would be too long for the operating system. Then it is a folder in the temporary directory
 * whose name follows from the home's path, so that the next start finds a database that is still running.
 */
export const socketDirectoryFor = (home: string, account: Account | undefined): string => {
  if (Buffer.byteLength(socketIn(home)) <= LONGEST_PATH) return home;
  const short = join(tmpdir(), `harness-${createHash('sha256').update(home).digest('hex').slice(0, 16)}`);
  if (!lstatSync(short, { throwIfNoEntry: false })) {
    mkdirSync(short, { mode: 0o700 });
    giveTo(account, short);
  }
  if (isPrivate(short, account)) return short;
  throw new EmbeddedPostgresError(
    'not-accessible',
    `The path ${home} is too long for a socket, and its stand-in ${short} is not a private folder of ours. Choose a shorter HARNESS_DATA_DIR.`,
  );
};

/** Anybody may create names in the temporary directory, so a folder found there is trusted only if no other account can use it. */
const isPrivate = (directory: string, account: Account | undefined) => {
  const entry = lstatSync(directory);
  return entry.isDirectory() && entry.uid === (account?.uid ?? process.getuid?.()) && (entry.mode & 0o077) === 0;
};
