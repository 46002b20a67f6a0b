import { readFileSync, existsSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { transformSync } from '@swc/core';

/** Lets a child process of a spec run the sources as they are: `node --import typescript-hooks.mjs program.ts`. */
const root = new URL('../../../../', import.meta.url);
const { $schema: _schema, ...config } = JSON.parse(readFileSync(new URL('.swcrc', root), 'utf8'));

registerHooks({
  resolve(specifier, context, next) {
    if (specifier.startsWith('@app/')) {
      const [, library, door = 'index'] = specifier.split('/');
      return next(new URL(door === 'testing' ? `libs/${library}/src/testing/index.ts` : `libs/${library}/src/${door}.ts`, root).href, context);
    }
    if (specifier.startsWith('.') && context.parentURL?.endsWith('.ts')) {
      const base = fileURLToPath(new URL(specifier, context.parentURL));
      const found = [`${base}.ts`, `${base}/index.ts`].find((file) => existsSync(file));
      if (found) return next(pathToFileURL(found).href, context);
    }
    return next(specifier, context);
  },
  load(url, context, next) {
    if (!url.endsWith('.ts')) return next(url, context);
    const filename = fileURLToPath(url);
    const { code } = transformSync(readFileSync(filename, 'utf8'), { ...config, filename, swcrc: false, sourceMaps: false, module: { type: 'es6' } });
    return { format: 'module', source: code, shortCircuit: true };
  },
});
