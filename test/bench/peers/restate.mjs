import * as restate from '@restatedev/restate-sdk';
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Agent } from 'undici';
import { serve } from '../child.ts';
import { closedLoop } from '../closed-loop.ts';

/**
 * Restate: one server with its own log on the same disk and its shipped settings. A handler decides, waits for an awakeable, and acts. The
 * process that serves the handler is also the client: it learns of an awakeable without asking anybody, and resolves it over HTTP.
 */
const START_MS = 30_000;

const freePort = () =>
  new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject).listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });

const startServer = async (folder) => {
  const [ingress, admin, node] = [await freePort(), await freePort(), await freePort()];
  const child = spawn(process.env.BENCH_PROGRAM, ['--no-logo', '--base-dir', folder, '--node-name', 'bench', '--listen-mode', 'tcp'], {
    cwd: folder,
    env: {
      PATH: process.env.PATH,
      RESTATE_INGRESS__BIND_ADDRESS: `127.0.0.1:${ingress}`,
      RESTATE_ADMIN__BIND_ADDRESS: `127.0.0.1:${admin}`,
      RESTATE_BIND_ADDRESS: `127.0.0.1:${node}`,
      RESTATE_ADVERTISED_ADDRESS: `http://127.0.0.1:${node}`,
      RESTATE_ADMIN__DISABLE_WEB_UI: 'true',
      RESTATE_DISABLE_TELEMETRY: 'true',
      // Without a network it would complain that it cannot look for a newer version.
      RESTATE_LOG_FILTER: 'error,octocrab=off',
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const ended = new Promise((_, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`restate-server ended with code ${code}`)));
  });
  ended.catch(() => undefined);
  process.once('exit', () => child.kill('SIGKILL'));
  return { ingress: `http://127.0.0.1:${ingress}`, admin: `http://127.0.0.1:${admin}`, ended };
};

const agent = new Agent({ connections: 64 });
const send = async (origin, path, body) => {
  const answer = await agent.request({
    origin,
    path,
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const text = await answer.body.text();
  if (answer.statusCode >= 300) throw new Error(`${path} answered ${answer.statusCode}: ${text}`);
  return text;
};

/** Cycles whose handler has not asked for its decision yet. */
const asked = new Map();
const gate = restate.service({
  name: 'gate',
  handlers: {
    governed: async (context, { cycle }) => {
      await context.run('decide', () => ({ decision: 'ask' }));
      const { id, promise } = context.awakeable();
      await context.run('ask', () => asked.get(cycle)(id));
      const answer = await promise;
      return context.run('act', () => ({ done: answer.approved }));
    },
  },
});

const cycle = async () => {
  const number = randomUUID();
  const pending = new Promise((resolve) => asked.set(number, resolve));
  const answer = send(server.ingress, '/gate/governed', { cycle: number });
  const id = await Promise.race([pending, answer.then(() => Promise.reject(new Error('The handler did not ask')))]);
  asked.delete(number);
  await send(server.ingress, `/restate/awakeables/${id}/resolve`, { approved: true });
  if (!JSON.parse(await answer).done) throw new Error('The handler did not act');
};

const folder = process.env.BENCH_FOLDER;
mkdirSync(folder, { recursive: true });
const server = await startServer(folder);
const port = await freePort();
await restate.serve({ services: [gate], port });
const from = performance.now();
for (;;) {
  try {
    await Promise.race([server.ended, send(server.admin, '/deployments', { uri: `http://127.0.0.1:${port}` })]);
    break;
  } catch (error) {
    if (performance.now() - from > START_MS || /ended with code/.test(String(error))) throw error;
    await sleep(100);
  }
}
serve({ cycles: (load) => closedLoop(load, () => cycle) });
