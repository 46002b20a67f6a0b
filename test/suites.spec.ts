import { describe, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { promisify } from 'node:util';

const root = join(import.meta.dirname, '..');
const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: Record<string, string> };

const filesBelow = (ending: string) =>
  ['apps', 'libs', 'test']
    .flatMap((tree) => readdirSync(join(root, tree), { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile() && entry.name.endsWith(ending))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => !file.includes('/node_modules/'))
    .sort();

/** What jest would run for the suite of a script. */
const filesOf = async (script: string) => {
  const project = /--selectProjects (\w+)$/.exec(scripts[script]!)![1]!;
  const parameters = ['node_modules/jest/bin/jest.js', '-c', 'test/jest.config.mjs', '--listTests', '--selectProjects', project];
  return (await promisify(execFile)(process.execPath, parameters, { cwd: root })).stdout.split('\n').filter((line) => line.startsWith('/')).sort();
};

/** A file and all it imports of its own library's and the suite's folders. */
const textsReachedFrom = (file: string, seen = new Map<string, string>()): Map<string, string> => {
  if (seen.has(file)) return seen;
  const text = readFileSync(file, 'utf8');
  seen.set(file, text);
  for (const [, path] of text.matchAll(/from '(\.{1,2}\/[^']+)'/g)) {
    const base = resolve(dirname(file), path!.replace(/\.ts$/, ''));
    const found = [`${base}.ts`, join(base, 'index.ts')].find((each) => existsSync(each));
    if (found) textsReachedFrom(found, seen);
  }
  return seen;
};

/** Integration files that take no database from the common server: they stop or kill one of their own, or use none. */
const OF_THEIR_OWN = [
  'libs/database/src/data-directory.int.spec.ts',
  'libs/database/src/embedded-postgres.int.spec.ts',
  'libs/event-store/src/postgres/kill.int.spec.ts',
  'libs/queue/src/pg-boss/restart.int.spec.ts',
  'test/bench/bench.int.spec.ts',
  'test/nats.int.spec.ts',
];

describe('The suites', () => {
  it('[SETUP-022] run separately, and each integration file has its own database, cloned from a template', async () => {
    const [unit, integration, e2e] = await Promise.all(['test:unit', 'test:integration', 'test:e2e'].map(filesOf));
    expect([...unit!, ...integration!, ...e2e!].sort()).toEqual(filesBelow('.spec.ts'));
    expect(integration!.filter((file) => !file.endsWith('.int.spec.ts'))).toEqual([]);
    expect(e2e!.filter((file) => !file.startsWith(join(root, 'test/e2e/')))).toEqual([]);

    const others = integration!.filter((file) => ![...textsReachedFrom(file).values()].some((text) => /= await testDatabase\(/.test(text)));
    expect(others.map((file) => relative(root, file))).toEqual(OF_THEIR_OWN);
    expect(readFileSync(join(root, 'test/database.ts'), 'utf8')).toMatch(/copyOf\('template_app'\)[^]*TEMPLATE \$\{template\}/);
    const reachable = filesBelow('.ts').filter((file) => readFileSync(file, 'utf8').includes(`process.env['TEST_DATABASE']`));
    expect(reachable.map((file) => relative(root, file))).toEqual(['test/database.ts', 'test/global-setup.ts', 'test/suites.spec.ts']);
  });

  it('of unit tests start no database', () => {
    const unit = filesBelow('.spec.ts').filter((file) => !file.endsWith('.int.spec.ts') && !file.startsWith(join(root, 'test/e2e/')));
    const started = unit.filter((file) => file !== import.meta.filename && /testDatabase\(|startPostgres\(/.test(readFileSync(file, 'utf8')));
    expect(started).toEqual([]);
  });
});
