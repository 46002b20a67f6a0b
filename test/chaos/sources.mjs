import { transformSync } from '@swc/core';
import { existsSync, readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** Runs the sources of the suite and of the product as they are, outside of jest: the same aliases, the same compiler settings. */
const ROOT = resolve(import.meta.dirname, '../..');
const swc = JSON.parse(readFileSync(join(ROOT, '.swcrc'), 'utf8'));
const { module: _module, $schema: _schema, ...options } = swc;

const fileOf = (base) => [`${base}.ts`, join(base, 'index.ts'), base].find((file) => file.endsWith('.ts') && existsSync(file));
const aliased = (specifier) => {
  const [, library, below = 'index'] = /^@app\/([^/]+)(?:\/(.+))?$/.exec(specifier) ?? [];
  return library && fileOf(join(ROOT, 'libs', library, 'src', below));
};

registerHooks({
  resolve: (specifier, context, next) => {
    const own = specifier.startsWith('.') && context.parentURL?.endsWith('.ts') ? fileOf(resolve(dirname(fileURLToPath(context.parentURL)), specifier)) : aliased(specifier);
    return own ? { url: pathToFileURL(own).href, shortCircuit: true } : next(specifier, context);
  },
  load: (url, context, next) => {
    if (!url.startsWith('file:') || !url.endsWith('.ts')) return next(url, context);
    const filename = fileURLToPath(url);
    const { code } = transformSync(readFileSync(filename, 'utf8'), { ...options, filename, swcrc: false, sourceMaps: 'inline' });
    return { format: 'module', source: code, shortCircuit: true };
  },
});
