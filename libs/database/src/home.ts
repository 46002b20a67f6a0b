import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, lstatSync, mkdirSync, readdirSync, readlinkSync, rmdirSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { giveTo, may, type Account } from './account';
import { EmbeddedPostgresError } from './embedded-postgres-error';

/** For data directories that the account cannot reach, for example below root's closed home folder. */
const OUTSIDE = '/var/lib/agent-harness';

/** Where PostgreSQL's home is, seen from the data directory. */
export const homeIn = (dataDir: string) => join(dataDir, 'postgres');

/**
 * PostgreSQL's own folder inside the data directory: cluster, log and socket, readable by nobody else.
 * When the account may not even pass the folders above, the home is made outside and a link to it is left in the data directory.
 */
export const openHome = async (dataDir: string, account: Account | undefined): Promise<string> => {
  const home = homeIn(dataDir);
  const entry = lstatSync(home, { throwIfNoEntry: false });
  if (entry?.isSymbolicLink()) return linkedHome(dataDir, home);
  if (!entry) mkdirSync(home, { mode: 0o700 });
  giveTo(account, home);
  if (!account) return home;
  chmodSync(dataDir, statSync(dataDir).mode | 0o001);
  if (await may(account, '-w', home)) return home;
  if (readdirSync(home).length > 0) throw unreachable(dataDir, `its database account (uid ${account.uid}) can no longer reach ${home}`);
  rmdirSync(home);
  mkdirSync(OUTSIDE, { recursive: true, mode: 0o755 });
  const outside = join(OUTSIDE, randomBytes(8).toString('hex'));
  mkdirSync(outside, { mode: 0o700 });
  giveTo(account, outside);
  symlinkSync(outside, home);
  return outside;
};

/** Starting with an empty database because the real one is missing would look like lost data, or lose it. */
const linkedHome = (dataDir: string, link: string) => {
  const outside = readlinkSync(link);
  if (existsSync(outside)) return outside;
  throw unreachable(dataDir, `its database was kept in ${outside}, which is gone; restore that folder, or remove ${link} to begin anew`);
};

const unreachable = (dataDir: string, why: string) =>
  new EmbeddedPostgresError('not-accessible', `The data directory ${dataDir} cannot be used: ${why}.`);
