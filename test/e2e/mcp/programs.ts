import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { compiled } from '../compiled';

const INSPECTOR = resolve(import.meta.dirname, '../../../node_modules/.bin/mcp-inspector');

/** The official inspector, without its windows. It keeps files of its own at home, so it gets a home. */
export const inspected = async (url: string, key: string, args: readonly string[]): Promise<{ readonly code: number | null; readonly out: string; readonly err: string }> => {
  const home = await mkdtemp(join(tmpdir(), 'mcp-inspector-'));
  const command = [INSPECTOR, '--cli', `${url}/api/v1/mcp`, '--transport', 'http', '--header', `Authorization: Bearer ${key}`, ...args];
  const child = spawn(process.execPath, command, { env: { PATH: process.env['PATH'], HOME: home }, stdio: ['ignore', 'pipe', 'pipe'] });
  let out = '';
  let err = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text));
  const code = await new Promise<number | null>((done) => child.once('close', done));
  await rm(home, { recursive: true, force: true });
  return { code, out, err };
};

/** `harness mcp` as a desktop client starts it, and the official client at its other end. */
export const bridged = async (url: string, key: string, era: 'legacy' | 'auto') => {
  const main = join(await compiled(), 'apps/cli/src/main.js');
  const transport = new StdioClientTransport({ command: process.execPath, args: [main, 'mcp'], env: { HARNESS_URL: url, HARNESS_KEY: key }, stderr: 'pipe' });
  let printed = '';
  transport.stderr?.on('data', (chunk: Buffer) => (printed += chunk.toString('utf8')));
  const client = new Client({ name: 'desktop', version: '1' }, { versionNegotiation: { mode: era } });
  await client.connect(transport).catch((error: unknown) => {
    throw new Error(printed || String(error), { cause: error });
  });
  return { client, [Symbol.asyncDispose]: () => client.close() };
};
