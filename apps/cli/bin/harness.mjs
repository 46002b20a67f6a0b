#!/usr/bin/env node
// Runs the built command line on Node 24 or newer, whichever Node was called. Plain syntax: this file itself must load on old versions.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { constants } from 'node:os';
import { fileURLToPath } from 'node:url';

const OLDEST = 24;
const at = (path) => fileURLToPath(new URL(path, import.meta.url));
const main = at('../../../dist/apps/cli/src/main.js');
const isNewEnough = Number(process.versions.node.split('.')[0]) >= OLDEST;
const bundled = at(`../../../node_modules/node-${process.platform}-${process.arch}/bin/node`);

const give = (up) => {
  process.stderr.write(`harness: ${up}\n`);
  process.exit(1);
};

if (!existsSync(main)) give('it is not built yet. Run: npm run build');
if (!isNewEnough && !existsSync(bundled))
  give(`it needs Node ${OLDEST} or newer; this is ${process.version}, and npm installed no newer one`);

if (isNewEnough) {
  await import(new URL('../../../dist/apps/cli/src/main.js', import.meta.url));
} else {
  const child = spawn(bundled, [main, ...process.argv.slice(2)], { stdio: 'inherit' });
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
  for (const signal of signals) process.on(signal, () => child.kill(signal));
  child.on('error', (error) => give(`${bundled} cannot be started: ${error.message}`));
  child.on('exit', (code, signal) => {
    if (!signal) process.exit(code ?? 1);
    // Ends the way the child did, so that the caller sees the same.
    for (const name of signals) process.removeAllListeners(name);
    process.kill(process.pid, signal);
    setTimeout(() => process.exit(128 + constants.signals[signal]), 100);
  });
}
