import { execFile } from 'node:child_process';
import { chownSync, existsSync, statSync } from 'node:fs';
import { promisify } from 'node:util';
import { EmbeddedPostgresError } from './embedded-postgres-error';

const run = promisify(execFile);

/** Who PostgreSQL runs as. */
export type Account = { readonly uid: number; readonly gid: number };

/** In order of preference. An operator who wants an account for nothing else creates the first. */
const NAMES = ['agent-harness', 'postgres', 'nobody'];

/**
 * PostgreSQL refuses to run as root, so root hands it to another account; everybody else runs it as themselves (undefined).
 * Files that exist keep their owner: an account that appears later on the machine does not lock the server out of its own data.
 */
export const accountFor = async (existing: string): Promise<Account | undefined> => {
  if (process.getuid?.() !== 0) return undefined;
  if (existsSync(existing)) {
    const { uid, gid } = statSync(existing);
    if (uid !== 0) return { uid, gid };
  }
  for (const name of NAMES) {
    const [uid, gid] = await Promise.all([idOf('-u', name), idOf('-g', name)]);
    if (uid !== undefined && gid !== undefined) return { uid, gid };
  }
  throw new EmbeddedPostgresError(
    'not-available',
    `PostgreSQL refuses to run as root, and this machine has none of the accounts ${NAMES.join(', ')}. Create one (useradd --system agent-harness), start as another user, or set DATABASE_URL.`,
  );
};

const idOf = async (flag: string, name: string) => {
  try {
    return Number((await run('id', [flag, name])).stdout);
  } catch {
    return undefined;
  }
};

/** Asks the machine itself, with the account's own rights: modes, groups and access lists of every parent folder count. */
export const may = async (account: Account, test: '-w' | '-x', path: string): Promise<boolean> => {
  try {
    await run('test', [test, path], { ...account, cwd: '/' });
    return true;
  } catch {
    return false;
  }
};

export const giveTo = (account: Account | undefined, path: string) => {
  if (account) chownSync(path, account.uid, account.gid);
};
