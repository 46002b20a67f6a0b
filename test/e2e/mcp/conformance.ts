import { spawn } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, request as send } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const BIN = resolve(import.meta.dirname, '../../../node_modules/@modelcontextprotocol/conformance/dist/index.js');

/** The official suite can send no key: this port puts one on every request, and changes nothing else, not even the name of the host. */
export const withKey = async (url: string, key: string) => {
  const { hostname, port } = new URL(url);
  const proxy = createServer((incoming, outgoing) => {
    const passed = send({ hostname, port, path: '/api/v1/mcp', method: incoming.method, headers: { ...incoming.headers, authorization: `Bearer ${key}` } }, (answer) => {
      outgoing.writeHead(answer.statusCode!, answer.headers);
      answer.pipe(outgoing);
    });
    passed.on('error', () => outgoing.destroy());
    outgoing.on('close', () => passed.destroy());
    incoming.pipe(passed);
  });
  await new Promise<void>((done) => proxy.listen(0, '127.0.0.1', done));
  const close = () => {
    proxy.closeAllConnections();
    return new Promise((done) => proxy.close(done));
  };
  return { url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}/mcp`, close };
};

export type Verdict = { readonly code: number | null; readonly failed: readonly string[]; readonly passed: readonly string[]; readonly printed: string };

/** Runs everything that a revision requires. It exits with 0 when exactly the scenarios that are not claimed fail. */
export const conformance = async (url: string, revision: string, unclaimed: readonly string[]): Promise<Verdict> => {
  const folder = await mkdtemp(join(tmpdir(), 'mcp-conformance-'));
  const baseline = join(folder, 'unclaimed.yml');
  await writeFile(baseline, `server:\n${unclaimed.map((name) => `  - ${name}\n`).join('')}`);
  try {
    const { code, printed } = await ended([BIN, 'server', '--url', url, '--requirements', revision, '--expected-failures', baseline, '-o', join(folder, 'out')]);
    const verdicts = new Map<string, boolean>();
    for (const run of await readdir(join(folder, 'out'))) {
      const name = run.replace(/^server-(?=.*-\d{4}-)/, '').replace(/-\d{4}-\d\d-\d\dT.*$/, '');
      const checks = JSON.parse(await readFile(join(folder, 'out', run, 'checks.json'), 'utf8')) as readonly { readonly status: string }[];
      verdicts.set(name, checks.length > 0 && checks.every(({ status }) => status !== 'FAILURE'));
    }
    const named = (wanted: boolean) => [...verdicts].filter(([, passed]) => passed === wanted).map(([name]) => name).toSorted();
    return { code, failed: named(false), passed: named(true), printed };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};

const ended = (args: readonly string[]) =>
  new Promise<{ readonly code: number | null; readonly printed: string }>((done) => {
    const child = spawn(process.execPath, args, { env: { PATH: process.env['PATH'], HOME: tmpdir() }, stdio: ['ignore', 'pipe', 'pipe'] });
    let printed = '';
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text: string) => (printed += text));
    child.once('close', (code) => done({ code, printed: printed.slice(-8_000) }));
  });
