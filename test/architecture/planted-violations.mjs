// npm run check:rules — plants violations in a throw-away copy of the repository's shape and shows that the rules report each of them, and
// let pass what is allowed. With --json for programs; with --real also the verdict on the checkout itself.
import { cruise } from 'dependency-cruiser';
import extractTSConfig from 'dependency-cruiser/config-utl/extract-ts-config';
import { ESLint } from 'eslint';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import dependencyRules from './dependency-cruiser.cjs';
import lintRules, { syntactic } from './eslint.config.mjs';
import { makeFixtureTree } from './fixture-tree.mjs';
import { plantedCode } from './planted-code.mjs';
import { plantedImports } from './planted-imports.mjs';

const checkout = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const { forbidden, options } = dependencyRules;
const { enhancedResolveOptions, tsConfig: _, ...cruiseOptions } = options;

/** Import violations in a tree. */
const brokenImports = async (root) => {
  const tsConfig = join(root, 'tsconfig.json');
  const { output } = await cruise(
    ['apps', 'libs'],
    { ...cruiseOptions, baseDir: root, validate: true, ruleSet: { forbidden }, tsConfig: { fileName: tsConfig } },
    { ...enhancedResolveOptions, tsConfig },
    { tsConfig: extractTSConfig(tsConfig) },
  );
  return output.summary.violations.map(({ rule, from, to }) => ({ rule: rule.name, where: `${from} → ${to}` }));
};

/** What ESLint reports as an error in a tree. */
const brokenCode = async (root, config, folders) => {
  const eslint = new ESLint({ cwd: root, overrideConfigFile: true, overrideConfig: config });
  const results = await eslint.lintFiles(folders);
  return results.flatMap(({ filePath, messages }) =>
    messages.filter(({ severity }) => severity === 2).map(({ ruleId, line, message }) => ({ rule: ruleId ?? 'syntax', file: relative(root, filePath), where: `${relative(root, filePath)}:${line} ${message}` })),
  );
};

const checkPlanted = async () => {
  const tree = makeFixtureTree(checkout);
  try {
    const clean = [...(await brokenImports(tree.root)), ...(await brokenCode(tree.root, lintRules, ['apps', 'libs']))];
    const imports = [];
    for (const { label, file, line, rule } of plantedImports) {
      const undo = tree.plant(file, line);
      imports.push({ label, expected: rule, reported: [...new Set((await brokenImports(tree.root)).map((found) => found.rule))] });
      undo();
    }
    for (const { file, code } of plantedCode) tree.plant(file, code);
    const found = await brokenCode(tree.root, lintRules, ['apps', 'libs']);
    const code = plantedCode.map(({ label, file, rule }) => ({ label, expected: rule, reported: [...new Set(found.filter((one) => one.file === file).map((one) => one.rule))] }));
    return { clean, imports, code };
  } finally {
    tree.remove();
  }
};

const holds = ({ expected, reported }) => (expected === null ? reported.length === 0 : reported.includes(expected));

const planted = await checkPlanted();
const real = process.argv.includes('--real')
  ? { imports: await brokenImports(checkout), code: await brokenCode(checkout, syntactic, ['apps', 'libs', 'test']) }
  : undefined;

if (process.argv.includes('--json')) {
  process.stdout.write(JSON.stringify({ ...planted, real, rules: forbidden.map(({ name }) => name) }));
} else {
  const all = [...planted.imports, ...planted.code];
  for (const { where, rule } of planted.clean) console.log(`WRONG the tree without violations: ${rule} ${where}`);
  for (const one of all) console.log(`${holds(one) ? 'ok   ' : 'WRONG'} ${one.label.padEnd(60)} ${one.reported.join(' ') || 'passes'}`);
  const wrong = planted.clean.length + all.filter((one) => !holds(one)).length;
  console.log(`${all.length} planted, ${wrong} wrong`);
  process.exitCode = wrong > 0 ? 1 : 0;
}
