import { randomBytes } from 'node:crypto';
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { EmbeddedPostgresError } from './embedded-postgres-error';
import { identityOf, isAlive, type ProcessIdentity } from './process-identity';

export const LOCK_FILE = 'harness.lock';

export type DirectoryLock = { release(): void };

/**
 * One server process per data directory. The lock is a file with the holder's process number and start time; that of a process which
 * has ended is taken over, so a killed server needs no cleaning up. Throws `in-use` while the holder lives.
 */
export const lockDirectory = (directory: string): DirectoryLock => {
  const file = join(directory, LOCK_FILE);
  const mine = JSON.stringify(identityOf(process.pid));
  const draft = `${file}.${randomBytes(8).toString('hex')}`;
  writeFileSync(draft, mine);
  try {
    for (;;) {
      if (claim(draft, file)) return { release: () => void (textOf(file) === mine && rmSync(file, { force: true })) };
      const found = textOf(file);
      if (found === undefined) continue;
      const holder = holderIn(found);
      if (holder && isAlive(holder)) throw inUse(directory, holder);
      setAside(file, found, `${draft}.stale`);
    }
  } finally {
    rmSync(draft, { force: true });
  }
};

const inUse = (directory: string, { pid }: ProcessIdentity) =>
  new EmbeddedPostgresError(
    'in-use',
    `The data directory ${directory} is in use by the running process ${pid}. Stop that process first, or choose another directory with HARNESS_DATA_DIR.`,
  );

/** A hard link appears whole or not at all: nobody ever reads a half-written lock. */
const claim = (draft: string, file: string) => {
  try {
    linkSync(draft, file);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
};

/** Two starters may judge the same lock stale. Whoever moved a fresh one away instead puts it back. */
const setAside = (file: string, judged: string, aside: string) => {
  try {
    renameSync(file, aside);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
    throw error;
  }
  if (textOf(aside) !== judged) claim(aside, file);
  rmSync(aside, { force: true });
};

const textOf = (file: string) => {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
};

const holderIn = (text: string): ProcessIdentity | undefined => {
  try {
    const { pid, started } = JSON.parse(text) as Partial<ProcessIdentity>;
    return typeof pid === 'number' && typeof started === 'string' ? { pid, started } : undefined;
  } catch {
    return undefined;
  }
};
