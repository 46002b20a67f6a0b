import { createRequire, enableCompileCache } from 'node:module';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import swcJest from '@swc/jest';

/**
 * The product as specs of whole servers import it: compiled as for a process and loaded by Node.js itself, once for all files of a worker,
 * outside of the sandbox that the runner makes for each file. In the sandbox the 4 300 modules of a server took 3 s of processor for every
 * file. A module of the product becomes one that names the exports of its compiled twin.
 */
const require = createRequire(import.meta.url);
enableCompileCache(join(tmpdir(), 'harness-e2e-code'));

const OWN_SOURCE = readFileSync(import.meta.filename);

const twinOf = (file, rootDir) => {
  const folder = process.env.E2E_BUILT;
  return folder && join(folder, relative(rootDir, file).replace(/\.ts$/, '.js'));
};

export default {
  createTransformer: (options) => {
    const swc = swcJest.createTransformer(options);
    return {
      canInstrument: false,
      getCacheKey: (source, file, given) =>
        createHash('sha256').update(swc.getCacheKey(source, file, given)).update(String(twinOf(file, given.config.rootDir))).update(OWN_SOURCE).digest('hex'),
      process: (source, file, given) => {
        const twin = twinOf(file, given.config.rootDir);
        if (!twin) return swc.process(source, file, given);
        const names = Object.keys(require(twin));
        return {
          code: `const built = process.getBuiltinModule('module').createRequire(${JSON.stringify(twin)})(${JSON.stringify(twin)});\n${names
            .map((name) => (name === 'default' ? 'export default built.default;' : `export const ${name} = built.${name};`))
            .join('\n')}\nexport {};\n`,
        };
      },
    };
  },
};
