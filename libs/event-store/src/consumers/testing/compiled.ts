import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { transform, type Options } from '@swc/core';

const ROOT = fileURLToPath(new URL('../../../../../', import.meta.url));
const LIBRARIES = ['kernel', 'database', 'event-store'];

export type Compiled = { readonly folder: string; remove(): Promise<void> };

/** The event store as a build would emit it, test programs included, in a folder of its own: what another process can run. */
export const compiled = async (): Promise<Compiled> => {
  const folder = await mkdtemp(join(tmpdir(), 'event-store-'));
  const swcrc = JSON.parse(await readFile(join(ROOT, '.swcrc'), 'utf8')) as Options;
  const { compilerOptions } = JSON.parse(await readFile(join(ROOT, 'tsconfig.json'), 'utf8')) as { compilerOptions: { paths: Record<string, string[]> } };
  const jsc = { ...swcrc.jsc, baseUrl: ROOT, paths: compilerOptions.paths };
  for (const library of LIBRARIES) {
    const source = join('libs', library, 'src');
    for (const file of await readdir(join(ROOT, source), { recursive: true })) {
      const [from, to] = [join(ROOT, source, file), join(folder, source, file)];
      if (file.endsWith('.sql')) await cp(from, to, { recursive: true });
      if (!file.endsWith('.ts') || file.endsWith('.spec.ts')) continue;
      const { code } = await transform(await readFile(from, 'utf8'), { ...swcrc, jsc, sourceMaps: false, swcrc: false, filename: from });
      await mkdir(dirname(to), { recursive: true });
      await writeFile(to.replace(/\.ts$/, '.js'), code);
    }
  }
  await writeFile(join(folder, 'package.json'), '{"type":"module"}');
  await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  return { folder, remove: () => rm(folder, { recursive: true }) };
};
