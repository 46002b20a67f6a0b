import { cpSync, existsSync, lchownSync, readdirSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { may, type Account } from './account';
import { EmbeddedPostgresError } from './embedded-postgres-error';

/** `bin` holds `initdb`, `pg_ctl` and `postgres`; `major` is the PostgreSQL major version they read and write. */
export type Binaries = { readonly bin: string; readonly major: string };

/**
 * The binaries of the npm package, in place where that works. They are copied beside the data (60 MB, once per version) when the account
 * cannot reach the checkout, or when the package lies in a folder that this process may not complete.
 */
export const binariesFor = async (home: string, account: Account | undefined): Promise<Binaries> => {
  const root = await packageRoot();
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
  const major = version.slice(0, version.indexOf('.'));
  if (completed(root) && (!account || (await may(account, '-x', join(root, 'native', 'bin', 'postgres')))))
    return { bin: join(root, 'native', 'bin'), major };
  const copy = join(home, `postgresql-${version}`);
  if (!existsSync(copy)) copyPackage(root, copy, account);
  return { bin: join(copy, 'native', 'bin'), major };
};

const packageRoot = async () => {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    return dirname(dirname(dirname(((await import(name)) as { postgres: string }).postgres)));
  } catch (cause) {
    throw new EmbeddedPostgresError(
      'not-available',
      `The package ${name} is not installed. Run npm ci, or set DATABASE_URL to a PostgreSQL of your own.`,
      { cause },
    );
  }
};

const completed = (root: string) => {
  try {
    completeLinks(root);
    return true;
  } catch {
    return false;
  }
};

/** npm packages carry no symbolic links; the package makes its own in an install script, which a careful npm does not run. */
const completeLinks = (root: string) => {
  const links = JSON.parse(readFileSync(join(root, 'native', 'pg-symlinks.json'), 'utf8')) as { source: string; target: string }[];
  for (const { source, target } of links) {
    try {
      if (!existsSync(join(root, target))) symlinkSync(basename(source), join(root, target));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
};

const copyPackage = (root: string, copy: string, account: Account | undefined) => {
  const draft = `${copy}.new`;
  rmSync(draft, { recursive: true, force: true });
  cpSync(join(root, 'native'), join(draft, 'native'), { recursive: true, verbatimSymlinks: true });
  completeLinks(draft);
  if (account) {
    for (const path of [draft, ...readdirSync(draft, { recursive: true, encoding: 'utf8' }).map((below) => join(draft, below))])
      lchownSync(path, account.uid, account.gid);
  }
  renameSync(draft, copy);
};
