import { transformFileSync, type Options } from '@swc/core';
import { copyFileSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';

const ROOT = resolve(import.meta.dirname, '../..');

/** The product as a build emits it, in a folder of its own: a test of the benchmark neither needs a build nor disturbs one. */
export const compileProduct = (folder: string): void => {
  const swc = JSON.parse(readFileSync(join(ROOT, '.swcrc'), 'utf8')) as { readonly jsc: Options['jsc'] };
  const { compilerOptions } = JSON.parse(readFileSync(join(ROOT, 'tsconfig.json'), 'utf8')) as {
    compilerOptions: { paths: Record<string, string[]> };
  };
  const options = {
    ...swc,
    swcrc: false,
    cwd: ROOT,
    sourceMaps: false,
    jsc: { ...swc.jsc, baseUrl: ROOT, paths: compilerOptions.paths },
  } as Options;
  for (const entry of ['apps', 'libs'].flatMap((top) => readdirSync(join(ROOT, top), { recursive: true, withFileTypes: true }))) {
    const source = join(entry.parentPath, entry.name);
    if (!entry.isFile() || /\.spec\.ts$|\/testing\/|\.md$/.test(source)) continue;
    const target = join(folder, relative(ROOT, source));
    mkdirSync(dirname(target), { recursive: true });
    if (source.endsWith('.ts')) writeFileSync(target.replace(/\.ts$/, '.js'), transformFileSync(source, options).code);
    else copyFileSync(source, target);
  }
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
};
