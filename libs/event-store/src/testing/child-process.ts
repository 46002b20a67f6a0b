import { transformFileSync } from '@swc/core';
import { spawn, type ChildProcess } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { createInterface } from 'node:readline';

const ROOT = resolve(import.meta.dirname, '../../../..');
const LIBRARIES = ['kernel', 'database', 'event-store'];

export type Compiled = { run(script: string, options?: RunOptions): Child; remove(): void };
export type RunOptions = { readonly input?: unknown; readonly env?: Readonly<Record<string, string>>; readonly nodeFlags?: readonly string[] };
/** `lines` holds each line of the child's standard output, parsed from JSON, as far as it has come. */
export type Child = { readonly process: ChildProcess; readonly lines: unknown[]; readonly exited: Promise<number | null> };

/**
 * The store as plain JavaScript in a folder of its own, so that a test can run it in other processes. It is compiled from the sources with
 * the product's swc settings, in about half a second, and does not depend on a build.
 */
export const compileStore = (): Compiled => {
  const folder = mkdtempSync(join(tmpdir(), 'event-store-'));
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  const swc = JSON.parse(readFileSync(join(ROOT, '.swcrc'), 'utf8')) as { jsc: object };
  const { paths } = (JSON.parse(readFileSync(join(ROOT, 'tsconfig.json'), 'utf8')) as { compilerOptions: { paths: object } }).compilerOptions;
  const options = { ...swc, swcrc: false, cwd: ROOT, sourceMaps: false, jsc: { ...swc.jsc, baseUrl: ROOT, paths } };
  for (const library of LIBRARIES) {
    for (const entry of readdirSync(join(ROOT, 'libs', library, 'src'), { recursive: true, withFileTypes: true })) {
      if (!entry.isFile() || entry.name.endsWith('.spec.ts')) continue;
      const source = join(entry.parentPath, entry.name);
      const target = join(folder, relative(ROOT, source));
      mkdirSync(dirname(target), { recursive: true });
      if (source.endsWith('.ts')) writeFileSync(target.replace(/\.ts$/, '.js'), transformFileSync(source, options as Parameters<typeof transformFileSync>[1]).code);
      else copyFileSync(source, target);
    }
  }
  return { run: (script, run) => start(join(folder, 'libs/event-store/src/testing/children', script), run), remove: () => rmSync(folder, { recursive: true, force: true }) };
};

const start = (script: string, { input = null, env = {}, nodeFlags = [] }: RunOptions = {}): Child => {
  const child = spawn(process.execPath, [...nodeFlags, script, JSON.stringify(input)], { env: { PATH: process.env['PATH'], ...env }, stdio: ['ignore', 'pipe', 'inherit'] });
  const lines: unknown[] = [];
  createInterface({ input: child.stdout }).on('line', (line) => lines.push(JSON.parse(line)));
  return { process: child, lines, exited: new Promise((done) => child.once('close', done)) };
};
