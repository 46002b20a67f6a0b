import { transformFile, type Options } from '@swc/core';
import { createHash, randomBytes } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { copyFile, mkdir, readdir, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { dirname, extname, join, relative, resolve } from 'node:path';

const ROOT = resolve(import.meta.dirname, '../..');
const CACHE = join(ROOT, 'node_modules/.cache/e2e-dist');
const UNUSED_MS = 86_400_000;

/**
 * The folder of the server as plain JavaScript, for tests that start it as a process. It is compiled from the sources with the product's
 * swc settings into a folder named by their content, so it is never older than they are, needs no build, and no build can pull it away.
 */
export const compiled = async (): Promise<string> => {
  // What the run began with: to look at 1 600 files again would take a tenth of a second for every process.
  const built = process.env['E2E_BUILT'];
  if (built !== undefined) return built;
  const files = sources();
  const folder = join(CACHE, fingerprint(files));
  if (existsSync(folder)) {
    await utimes(folder, new Date(), new Date());
    return folder;
  }
  const draft = `${folder}.${randomBytes(4).toString('hex')}`;
  await compileInto(draft, files);
  // Another worker may have been faster; its folder holds the same.
  await rename(draft, folder).catch(() => rm(draft, { recursive: true }));
  await forgetOld();
  return folder;
};

const sources = () =>
  ['apps', 'libs']
    .flatMap((tree) => readdirSync(join(ROOT, tree), { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => !/\.spec\.ts$|\.examples\.ts$|\/testing\/|\.md$|\/node_modules\//.test(file))
    .sort();

const fingerprint = (files: readonly string[]) => {
  const hash = createHash('sha256').update(readFileSync(join(ROOT, '.swcrc')));
  for (const file of files) hash.update(`\0${file}\0`).update(readFileSync(file));
  return hash.digest('hex').slice(0, 16);
};

const compileInto = async (folder: string, files: readonly string[]) => {
  const swc = JSON.parse(readFileSync(join(ROOT, '.swcrc'), 'utf8')) as Options;
  const { paths } = (JSON.parse(readFileSync(join(ROOT, 'tsconfig.json'), 'utf8')) as { compilerOptions: { paths: Record<string, string[]> } })
    .compilerOptions;
  const options: Options = { ...swc, swcrc: false, cwd: ROOT, sourceMaps: 'inline', jsc: { ...swc.jsc, baseUrl: ROOT, paths } };
  await Promise.all(
    files.map(async (file) => {
      const target = join(folder, relative(ROOT, file));
      await mkdir(dirname(target), { recursive: true });
      if (extname(file) !== '.ts') return copyFile(file, target);
      await writeFile(target.replace(/\.ts$/, '.js'), (await transformFile(file, options)).code);
    }),
  );
  await writeFile(join(folder, 'package.json'), '{"type":"module"}');
};

/** Each use renews a folder's time, so what no run of the last day has used is of a state of the sources that is gone. */
const forgetOld = async () => {
  for (const name of await readdir(CACHE)) {
    const folder = join(CACHE, name);
    const used = await stat(folder).then(({ mtimeMs }) => mtimeMs, () => Infinity);
    if (Date.now() - used > UNUSED_MS) await rm(folder, { recursive: true, force: true });
  }
};
